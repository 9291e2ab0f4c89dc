import { closeSync, constants, fstatSync, lstatSync, openSync, readSync } from 'node:fs';
import { dirname } from 'node:path';
import { createHash } from 'node:crypto';
import { errorCode } from '../../text/error-code.ts';

/** The largest state file that is read. A prompt of the greatest length fits, whatever its characters. */
const MAX_STATE_FILE_BYTES = 8 * 1024 * 1024;

/** A state file as it lies there. */
export type FoundFile =
  | { readonly kind: 'absent' }
  | {
      readonly kind: 'text';
      readonly text: string;
      /** SHA-256, in hex, of the bytes. */
      readonly digest: string;
      /** When the system last noted a change of it, in milliseconds since 1970: no program can choose this time. */
      readonly changedAtMs: number;
    }
  /** `reason`: why it cannot be read, for people. */
  | { readonly kind: 'unreadable'; readonly reason: string };

const READING = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW | constants.O_NOCTTY;

/**
 * Reads a state file, never through a symbolic link, and never more than the limit. Does not throw.
 *
 * Synchronous, as the commits of the log are: an iteration reads this small local file three times, and each of its
 * six calls takes several times the CPU where a thread of the pool does it.
 */
export function readStateFile(path: string): FoundFile {
  try {
    const fault = folderFault(path) ?? fileFault(path);
    return fault ? { kind: 'unreadable', reason: fault } : readOpened(openSync(path, READING));
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(errorCode(error) ?? '')) return { kind: 'absent' };
    return { kind: 'unreadable', reason: `it cannot be read: ${errorCode(error) ?? String(error)}` };
  }
}

function readOpened(file: number): FoundFile {
  try {
    const stats = fstatSync(file);
    if (!stats.isFile()) return { kind: 'unreadable', reason: 'it is not a regular file' };
    // One byte more than it has: one that grows meanwhile, or is too large, is noticed.
    const bytes = Buffer.alloc(Math.min(stats.size, MAX_STATE_FILE_BYTES) + 1);
    const bytesRead = readSync(file, bytes, 0, bytes.length, 0);
    if (bytesRead > MAX_STATE_FILE_BYTES)
      return { kind: 'unreadable', reason: `it has more than ${MAX_STATE_FILE_BYTES} bytes` };
    if (bytesRead !== stats.size) return { kind: 'unreadable', reason: 'it changes while it is read' };
    return textOf(bytes.subarray(0, bytesRead), stats.ctimeMs);
  } finally {
    closeSync(file);
  }
}

/** Of the folder that it lies in: a link would lead elsewhere. Null: nothing is wrong. */
export function folderFault(path: string): string | null {
  const stats = lstatSync(dirname(path), { throwIfNoEntry: false });
  if (stats === undefined || stats.isDirectory()) return null;
  return `its folder is ${stats.isSymbolicLink() ? 'a symbolic link' : 'not a folder'}`;
}

/** Before it is opened: opening a pipe or a device may already do something. */
function fileFault(path: string): string | null {
  const stats = lstatSync(path);
  if (stats.isFile()) return null;
  if (stats.isSymbolicLink()) return 'it is a symbolic link';
  return stats.isDirectory() ? 'it is a folder' : 'it is not a regular file';
}

function textOf(bytes: Buffer, changedAtMs: number): FoundFile {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return { kind: 'text', text, digest: digestOf(text), changedAtMs };
  } catch {
    return { kind: 'unreadable', reason: 'it is not UTF-8 text' };
  }
}

/** SHA-256, in hex. */
export const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex');
