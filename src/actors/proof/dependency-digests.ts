import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import type { RecordedSurroundings } from '../../../machines/recorded-proof.ts';
import { asBytes, asText, type FoundFile, foundFiles } from './find-files.ts';
import { isUntimed } from './time-faults.ts';

/** The most places outside of the workspace, to which links of a folder lead, that are looked at. */
const MAX_LINKED = 100;
/** Git writes there while it only reads. */
const NOT_IN_GIT = ['-not', '-path', '*/.git/*'];

type Digests = NonNullable<RecordedSurroundings['dependencies']>;

/**
 * A digest of each folder of dependencies: of the names, places, modes, sizes and times of its files, and of their
 * content only where no time tells a change of it. So are files outside of the workspace that it leads to, as `npm
 * link` has it. A file that was removed is missing in it. Null where this system has no GNU `find`.
 */
export async function dependencyDigests(root: string, folders: readonly string[]): Promise<Digests | null> {
  if (folders.length === 0) return [];
  const starts = folders.map((folder) => `./${folder}`);
  const found = await foundFiles(root, starts);
  if (found === null) return null;
  return Promise.all(
    folders.map(async (path, at) => {
      const files = found.get(starts[at] ?? '') ?? [];
      const folder = join(root, path);
      const own = [...(await withContents(folder, files)), ...(await linkedFiles(root, folder, files))];
      const of = (key: 'all' | 'lasting') => digestOf(own.map((file) => `${file.path}\0${file[key]}\0`));
      return { path, digest: of('all'), lasting: of('lasting') };
    }),
  );
}

/** The files outside of the workspace that links lead to. None where they cannot be listed. */
async function linkedFiles(root: string, folder: string, files: readonly FoundFile[]): Promise<readonly FoundFile[]> {
  const places = new Set<string>();
  for (const { path, target } of files) {
    const place = target === '' ? root : resolve(folder, dirname(asText(path)), asText(target));
    if (isOutside(root, place) && places.size < MAX_LINKED) places.add(place);
  }
  const found = await Promise.all([...places].map((place) => foundFiles('/', [place], NOT_IN_GIT)));
  const listed = [...places].map(async (place, at) => {
    const linked = await withContents(place, found[at]?.get(place) ?? []);
    return linked.map((file) => ({ ...file, path: `${asBytes(place)}/${file.path}` }));
  });
  return (await Promise.all(listed)).flat();
}

function isOutside(root: string, place: string): boolean {
  const path = relative(root, place);
  return path.startsWith('..') || isAbsolute(path);
}

/** The same, with what no time tells of them. */
const withContents = async (folder: string, files: readonly FoundFile[]): Promise<readonly FoundFile[]> =>
  (await isUntimed(folder)) ? Promise.all(files.map(withContent(folder))) : files;

/** What is no file, or cannot be read, has none. */
const withContent =
  (folder: string) =>
  async (file: FoundFile): Promise<FoundFile> => {
    const path = Buffer.from(`${asBytes(folder)}/${file.path}`.replace(/\/$/, ''), 'latin1');
    const content = file.lasting.startsWith('f') ? await readFile(path).catch(() => Buffer.alloc(0)) : null;
    const hash = content === null ? '' : createHash('sha256').update(content).digest('hex');
    return { ...file, lasting: `${file.lasting} ${hash}`, all: `${file.all} ${hash}` };
  };

const digestOf = (lines: readonly string[]): string =>
  createHash('sha256').update(lines.join(''), 'latin1').digest('hex');
