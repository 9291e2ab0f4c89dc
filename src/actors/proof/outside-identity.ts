import { createHash } from 'node:crypto';
import { createReadStream, type Stats } from 'node:fs';
import { lstat, readdir, readlink, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { CACHES_OF_MODULES } from '../../evidence/never-given.ts';
import { OWN_FOLDER } from '../../log/own-folder.ts';

/** Of a larger file, and of files of a folder beyond so many bytes, size, place and times are looked at. */
export const MAX_READ_BYTES = 16 * 1024 * 1024;
/** The most files of a folder that are looked at. */
const MAX_FOLDER_FILES = 5_000;
/** The end of a path that stands for the files directly in a folder. */
export const DIRECTLY = '/*';

const NOT_LOOKED_INTO: ReadonlySet<string> = new Set([
  ...CACHES_OF_MODULES,
  OWN_FOLDER,
  ...'.git __pycache__ .pytest_cache .mypy_cache .ruff_cache'.split(' '),
]);

/**
 * What a place is like: where its links lead, and its content. Null: nothing is there, or its links lead in a circle.
 * Links within a folder are what they say, and are not followed.
 */
export async function outsideIdentity(path: string): Promise<string | null> {
  const isDirect = path.endsWith(DIRECTLY);
  const place = await realpath(isDirect ? path.slice(0, -DIRECTLY.length) || '/' : path).catch(() => null);
  const found = place === null ? null : await stat(place).catch(() => null);
  if (place === null || found === null) return null;
  const budget = { bytes: MAX_READ_BYTES, files: MAX_FOLDER_FILES };
  if (!found.isDirectory()) return `${place} ${await stateOf(place, found, budget)}`;
  const hash = createHash('sha256');
  for await (const line of linesIn(place, '', isDirect, budget)) hash.update(line, 'utf8');
  return `${place} ${hash.digest('hex')}`;
}

interface Budget {
  bytes: number;
  files: number;
}

async function* linesIn(top: string, within: string, isDirect: boolean, budget: Budget): AsyncGenerator<string> {
  const folder = join(top, within);
  const names = (await readdir(folder).catch(() => [])).toSorted();
  for (const name of names) {
    if (NOT_LOOKED_INTO.has(name)) continue;
    if (budget.files <= 0) return;
    const [path, file] = [join(within, name), join(folder, name)];
    const found = await lstat(file).catch(() => null);
    if (found === null) continue;
    if (!found.isDirectory()) {
      budget.files -= 1;
      // A shell or an editor keeps its own hidden files in a folder above.
      if (!isDirect || !name.startsWith('.')) yield `${path}\0${await stateOf(file, found, budget)}\0`;
    } else if (!isDirect) yield* linesIn(top, path, false, budget);
  }
}

async function stateOf(file: string, found: Stats, budget: Budget): Promise<string> {
  if (found.isSymbolicLink()) return `link ${await readlink(file).catch(() => '')}`;
  if (!found.isFile()) return `${found.mode}`;
  const { mode, size, mtimeMs, ctimeMs, ino } = found;
  const hash = size > budget.bytes ? null : await contentHash(file);
  budget.bytes -= hash === null ? 0 : size;
  return hash === null ? `${mode} ${size} ${mtimeMs} ${ctimeMs} ${ino}` : `${mode} ${hash}`;
}

/** Null: it cannot be read. */
async function contentHash(file: string): Promise<string | null> {
  const hash = createHash('sha256');
  return pipeline(createReadStream(file), hash).then(
    () => hash.digest('hex'),
    () => null,
  );
}
