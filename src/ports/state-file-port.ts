import type { FoundFile } from '../actors/state-file/read-state-file.ts';
import type { WrittenFile } from '../actors/state-file/write-state-file.ts';

/** The state files of Ralph loops. People and agents change them, too. */
export interface StateFiles {
  /** Reads the file as it is now. Does not throw. */
  readonly read: (path: string) => FoundFile;
  /** Replaces the file as a whole, where it still is as it was found. Does not throw. */
  readonly write: (path: string, text: string, before: FoundFile) => WrittenFile;
}
