import { readdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { boundedRead } from '../../config/read-within.ts';
import { type ReadHistory, readHistory } from '../../replay/history.ts';
import { usage } from '../pages/complaint.ts';

const MAX_FILE_BYTES = 64 * 1024 * 1024;
const ENDING = '.jsonl';

export interface RecordedFile {
  /** As its user named it. */
  readonly file: string;
  readonly read: ReadHistory;
}

/** Whether an argument names a file or a folder, and not a run. */
export async function isPlace(word: string, directory: string): Promise<boolean> {
  return (
    word.includes('/') || word.endsWith(ENDING) || (await stat(resolve(directory, word)).catch(() => null)) !== null
  );
}

/**
 * The recorded runs of a file, or of every `.jsonl` file of a folder. Throws a `Complaint` if there is no such file.
 */
export async function* recordedFiles(place: string, directory: string): AsyncGenerator<RecordedFile> {
  for (const file of await filesAt(place, directory)) {
    const text = await boundedRead(resolve(directory, file), MAX_FILE_BYTES);
    if (text.kind === 'text') yield { file, read: readHistory(text.text) };
    else if (file === place) throw usage('PATH', 'a file of recorded runs', `${file}, which ${text.why}`);
    else yield { file, read: { kind: 'malformed', line: 1, because: `it ${text.why}` } };
  }
}

async function filesAt(place: string, directory: string): Promise<readonly string[]> {
  const path = resolve(directory, place);
  const stats = await stat(path).catch(() => null);
  if (!stats) throw usage('PATH', 'a file or a folder of recorded runs', `'${place}', which does not exist`);
  if (!stats.isDirectory()) return [place];
  const names = (await readdir(path)).filter((name) => name.endsWith(ENDING)).toSorted();
  if (names.length === 0) throw usage('PATH', `a folder with recorded runs in ${ENDING} files`, `'${place}'`);
  return names.map((name) => join(place, name));
}
