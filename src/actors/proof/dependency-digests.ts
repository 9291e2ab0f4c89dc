import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import type { RecordedSurroundings } from '../../../machines/recorded-proof.ts';
import { NOT_IN_CACHES } from './dependencies-since.ts';
import { ownEnvironment } from '../own-programs.ts';
import { isUntimed } from './untimed.ts';

const LIST_TIMEOUT_MS = 120_000;
const MAX_LIST_BYTES = 512 * 1024 * 1024;
/** Folder, path, what a process can put back (type, inode, mode, size, time), what only the system sets, and target. */
const FORMAT = '%H\\0%P\\0%y %i %m %s %T@\\0%C@\\0%l\\0';
const FIELDS = 5;

type Digests = NonNullable<RecordedSurroundings['dependencies']>;

interface Line {
  readonly path: string;
  readonly lasting: string;
  readonly all: string;
}

/**
 * A digest of each folder of dependencies: of the names, places, modes, sizes and times of its files, and of their
 * content only where no time tells a change of it. A file that was removed is missing in it. Null where this system has
 * no GNU `find`.
 */
export async function dependencyDigests(root: string, folders: readonly string[]): Promise<Digests | null> {
  if (folders.length === 0) return [];
  const starts = folders.map((folder) => `./${folder}`);
  const asked = ['-H', ...starts, '-not', '-type', 'd', ...NOT_IN_CACHES, '-printf', FORMAT];
  const { exitCode, stdout } = await execa('find', asked, {
    cwd: root,
    env: ownEnvironment(),
    reject: false,
    stdin: 'ignore',
    encoding: 'latin1',
    timeout: LIST_TIMEOUT_MS,
    maxBuffer: MAX_LIST_BYTES,
  });
  if (exitCode !== 0) return null;
  const lines = linesOf(stdout);
  return Promise.all(
    folders.map(async (path, at) => {
      const found = (lines.get(starts[at] ?? '') ?? []).toSorted((one, other) => (one.path < other.path ? -1 : 1));
      const folder = join(root, path);
      const own = (await isUntimed(folder)) ? await Promise.all(found.map(withContent(folder))) : found;
      const of = (key: 'all' | 'lasting') => digestOf(own.map((line) => `${line.path}\0${line[key]}\0`));
      return { path, digest: of('all'), lasting: of('lasting') };
    }),
  );
}

/** What is no file, or cannot be read, has none. */
const withContent =
  (folder: string) =>
  async (line: Line): Promise<Line> => {
    const path = Buffer.from(`${Buffer.from(folder).toString('latin1')}/${line.path}`, 'latin1');
    const content = line.lasting.startsWith('f') ? await readFile(path).catch(() => Buffer.alloc(0)) : null;
    const hash = content === null ? '' : createHash('sha256').update(content).digest('hex');
    return { ...line, lasting: `${line.lasting} ${hash}`, all: `${line.all} ${hash}` };
  };

function linesOf(text: string): ReadonlyMap<string, Line[]> {
  const found = new Map<string, Line[]>();
  const fields = text.split('\0');
  for (let at = 0; at + FIELDS < fields.length; at += FIELDS) {
    const [start = '', path = '', state = '', changed = '', target = ''] = fields.slice(at, at + FIELDS);
    const lines = found.get(start) ?? [];
    found.set(start, lines);
    const lasting = `${state} ${target}`;
    lines.push({ path, lasting, all: `${lasting} ${changed}` });
  }
  return found;
}

const digestOf = (lines: readonly string[]): string =>
  createHash('sha256').update(lines.join(''), 'latin1').digest('hex');
