import { constants } from 'node:fs';
import { open, realpath, stat } from 'node:fs/promises';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { errorCode } from '../../text/error-code.ts';

/** Of a report that is looked for in what a check prints, or read from its file. */
export const MAX_REPORT_BYTES = 4_194_304;

/** All that a command prints, or null once that is more than any report we read. */
export class Printed {
  #pieces: string[] = [];
  #bytes = 0;

  add(piece: string): void {
    this.#bytes += Buffer.byteLength(piece);
    if (this.#bytes > MAX_REPORT_BYTES) this.#pieces = [];
    else this.#pieces.push(piece);
  }

  text(): string | null {
    return this.#bytes > MAX_REPORT_BYTES ? null : this.#pieces.join('');
  }
}

export type ReportText =
  | { readonly kind: 'read'; readonly text: string }
  | { readonly kind: 'unread'; readonly why: string };

/**
 * Keeps an eye on the file in which a command is to leave its report. Call it before the command starts, and what it
 * returns after the command has ended. Only what was written in between is read: an old report proves nothing.
 */
export async function watchReport(directory: string, path: string): Promise<() => Promise<ReportText>> {
  const before = await stampOf(resolve(directory, path));
  return async () => {
    try {
      return await readAfter(directory, path, before);
    } catch (error) {
      return unread(
        isMissing(error) ? 'it is not there' : `it could not be read (${errorCode(error) ?? 'unknown error'})`,
      );
    }
  };
}

async function readAfter(directory: string, path: string, before: string | null): Promise<ReportText> {
  const real = await realpath(resolve(directory, path));
  const inside = relative(await realpath(directory), real);
  if (inside.split(sep)[0] === '..' || isAbsolute(inside)) return unread('it lies outside the workspace');
  // No link can slip in any more, and a pipe without a writer does not make us wait.
  const file = await open(real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const stats = await file.stat();
    if (!stats.isFile()) return unread('it is not a regular file');
    if ((await stampOf(real)) === before) return unread('it is older than this run of the check');
    const { size } = stats;
    if (size > MAX_REPORT_BYTES) return unread(`it has ${size} bytes, at most ${MAX_REPORT_BYTES} are read`);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(size), 0, size, 0);
    return { kind: 'read', text: buffer.subarray(0, bytesRead).toString('utf8') };
  } finally {
    await file.close();
  }
}

/** Another one each time a file is written or replaced. No clock of ours is compared with that of a disk. */
async function stampOf(path: string): Promise<string | null> {
  try {
    const { ino, size, mtimeNs, ctimeNs } = await stat(path, { bigint: true });
    return [ino, size, mtimeNs, ctimeNs].join(' ');
  } catch {
    return null;
  }
}

const unread = (why: string): ReportText => ({ kind: 'unread', why });

const isMissing = (error: unknown): boolean => ['ENOENT', 'ENOTDIR'].includes(errorCode(error) ?? '');
