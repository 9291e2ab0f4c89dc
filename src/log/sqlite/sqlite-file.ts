import { type Stats, statSync } from 'node:fs';
import { damaged, lost, unavailable } from './failure.ts';

/** The file that a connection has opened: SQLite goes on writing into it after its path has lost it. */
export class OpenedFile {
  readonly #path: string;
  readonly #opened: Stats | undefined;
  /** A database in write-ahead mode grows, and is never cut. */
  #bytes: number;

  constructor(path: string) {
    this.#path = path;
    this.#opened = statSync(path, { throwIfNoEntry: false });
    this.#bytes = this.#opened?.size ?? 0;
  }

  /**
   * Throws `lost` where the path has no file or another one, and `damaged` where the file was cut. It takes two
   * microseconds: every commit asks.
   */
  assertThere(): void {
    const found = this.#found();
    if (found?.ino === this.#opened?.ino && found?.dev === this.#opened?.dev) return this.#assertNotCut(found);
    const what = found ? 'the file was replaced by another' : 'the file was removed';
    throw lost(this.#path, `${what} while it was open, and what was recorded in it is lost`);
  }

  #assertNotCut(found: Stats | undefined): void {
    const bytes = found?.size ?? 0;
    if (bytes < this.#bytes) {
      throw damaged(this.#path, `it was cut to ${bytes} bytes while it was open, and had ${this.#bytes}`);
    }
    this.#bytes = bytes;
  }

  #found(): Stats | undefined {
    try {
      return statSync(this.#path, { throwIfNoEntry: false });
    } catch (cause) {
      const { code } = cause as NodeJS.ErrnoException;
      const remedy = 'Make the file and its folder readable and writable, then resume.';
      throw unavailable(this.#path, `the file can no longer be reached (${code})`, remedy, cause);
    }
  }
}
