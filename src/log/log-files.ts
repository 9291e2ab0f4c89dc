import { realpathSync, statSync } from 'node:fs';
import { open, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';

// Which files belong to a log that is kept in a file. They are in no capture, and no tool and no `undo` writes them: a
// database whose files change under it loses its history.

/** "loop" in ASCII: at byte 68 of every store, so that a store is recognised before it is opened. */
export const APPLICATION_ID = 0x6c6f6f70;
/** The folder beside the database, named after it, with the head of each run. */
export const HEADS = '.heads';
/** What SQLite keeps beside a database. */
export const BESIDE = ['-wal', '-shm', '-journal'];
const MAGIC = 'SQLite format 3\0';
const HEADER_BYTES = 100;
const ID_OFFSET = 68;

/** `memory:`, or another address of a log that is no path. */
const SCHEME = /^[a-z]+:/;

/** Whether an address is the path of a file. */
export const isFileAddress = (store: string): boolean => !SCHEME.test(store);

/** A user, and maybe a password, in an address: neither says where a log is, and one of them no page may show. */
const USER = /^([a-z]+:\/\/)[^/?#]*@/;

/** Where a log is, as other processes find it. */
export const addressOf = ({ store }: { readonly store: string }): string =>
  isFileAddress(store) ? resolve(store) : store.replace(USER, '$1');

/**
 * Which file a log is in: a later log at the same path has another. Undefined where there is none, or the log is in no
 * file. Synchronous, and two microseconds.
 */
export function fileOf(store: string): string | undefined {
  if (!isFileAddress(store)) return undefined;
  const found = statSync(store, { throwIfNoEntry: false });
  // The number alone may be given to a later file. The time of its birth is 0 where the system keeps none.
  return found && `${found.ino}-${Math.trunc(found.birthtimeMs)}`;
}

/**
 * The absolute paths of the files and the folder of a log, whether they exist or not: as it was named, and where
 * symbolic links lead. Empty for a log that is in no file. Synchronous: each capture asks, and threads take more CPU.
 */
export function logFiles(store: string): readonly string[] {
  if (!isFileAddress(store)) return [];
  const named = resolve(store);
  const inFolder = join(realOr(dirname(named), dirname(named)), basename(named));
  const target = realOr(named, inFolder);
  const databases = new Set([inFolder, target]);
  return [...databases].flatMap((path) => [path, ...BESIDE.map((suffix) => path + suffix), path + HEADS]);
}

function realOr(path: string, otherwise: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return otherwise;
  }
}

/**
 * Whether a path belongs to a log that some process has open, or that a killed process left open: SQLite keeps a file
 * beside it until then. The files of a log at rest are files like any other.
 */
export async function belongsToOpenLog(path: string): Promise<boolean> {
  for (const database of databasesOf(path)) {
    const real = await realpath(database).catch(() => null);
    if (real !== null && (await isOpen(real)) && (await isLog(real))) return true;
  }
  return false;
}

/** The databases that a path can belong to, by its name. */
function databasesOf(path: string): readonly string[] {
  const found = [path];
  for (const suffix of BESIDE) if (path.endsWith(suffix)) found.push(path.slice(0, -suffix.length));
  for (let folder = path; folder !== dirname(folder); folder = dirname(folder)) {
    if (folder.endsWith(HEADS)) found.push(folder.slice(0, -HEADS.length));
  }
  return found;
}

async function isOpen(database: string): Promise<boolean> {
  const found = await Promise.all(BESIDE.map((suffix) => stat(database + suffix).catch(() => null)));
  return found.some((stats) => stats !== null);
}

/** False for a file that cannot be read. */
async function isLog(database: string): Promise<boolean> {
  const stats = await stat(database).catch(() => null);
  // Opening a pipe would wait for its other end.
  if (!stats?.isFile()) return false;
  const file = await open(database, 'r').catch(() => null);
  if (!file) return false;
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEADER_BYTES), 0, HEADER_BYTES, 0);
    if (bytesRead < HEADER_BYTES || buffer.toString('latin1', 0, MAGIC.length) !== MAGIC) return false;
    return buffer.readUInt32BE(ID_OFFSET) === APPLICATION_ID;
  } finally {
    await file.close();
  }
}
