import { execa } from 'execa';
import { NOT_IN_CACHES } from './dependencies-since.ts';
import { ownEnvironment } from '../../text/own-programs.ts';

const LIST_TIMEOUT_MS = 120_000;
const MAX_LIST_BYTES = 512 * 1024 * 1024;
/** Folder, path, what a process can put back (type, inode, mode, size, time), what only the system sets, and target. */
const FORMAT = '%H\\0%P\\0%y %i %m %s %T@\\0%C@\\0%l\\0';
const FIELDS = 5;

/** A file as it was found, in bytes of which each is one character. */
export interface FoundFile {
  /** From the place that was looked in. */
  readonly path: string;
  readonly lasting: string;
  readonly all: string;
  /** Where it leads. Empty: it is no link. */
  readonly target: string;
}

/**
 * Lists all but folders and caches in places, by place, sorted by path. Null where this system has no GNU `find`, or a
 * place is not there.
 */
export async function foundFiles(
  cwd: string,
  places: readonly string[],
  more: readonly string[] = [],
): Promise<ReadonlyMap<string, readonly FoundFile[]> | null> {
  const asked = ['-H', ...places, '-not', '-type', 'd', ...NOT_IN_CACHES, ...more, '-printf', FORMAT];
  const { exitCode, stdout } = await execa('find', asked, {
    cwd,
    env: ownEnvironment(),
    extendEnv: false,
    reject: false,
    stdin: 'ignore',
    encoding: 'latin1',
    timeout: LIST_TIMEOUT_MS,
    maxBuffer: MAX_LIST_BYTES,
  });
  if (exitCode !== 0) return null;
  const lines = linesOf(stdout);
  return new Map(
    places.map((place) => [
      place,
      (lines.get(asBytes(place)) ?? []).toSorted((one, other) => (one.path < other.path ? -1 : 1)),
    ]),
  );
}

/** A text as `find` prints it here. */
export const asBytes = (text: string): string => Buffer.from(text).toString('latin1');

/** The same the other way. */
export const asText = (bytes: string): string => Buffer.from(bytes, 'latin1').toString();

function linesOf(text: string): ReadonlyMap<string, FoundFile[]> {
  const found = new Map<string, FoundFile[]>();
  const fields = text.split('\0');
  for (let at = 0; at + FIELDS < fields.length; at += FIELDS) {
    const [start = '', path = '', state = '', changed = '', target = ''] = fields.slice(at, at + FIELDS);
    const lines = found.get(start) ?? [];
    found.set(start, lines);
    const lasting = `${state} ${target}`;
    lines.push({ path, lasting, all: `${lasting} ${changed}`, target });
  }
  return found;
}
