import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';

/** A file's text, and whether other users can change it. */
export interface FileText {
  readonly kind: 'text';
  readonly text: string;
  readonly sha256: string;
  /** Another user can change it: the file belongs to them, or is writable by all. */
  readonly isOthers: boolean;
}

/** Why it cannot be read: the end of a sentence that begins with its path. */
export type Unread = { readonly kind: 'unread'; readonly why: string };

/** Reads a regular UTF-8 file of bounded size. Pipes and devices are refused without waiting for them. */
export async function boundedRead(path: string, maxBytes: number): Promise<FileText | Unread> {
  let file: FileHandle | null = null;
  try {
    file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const stats = await file.stat();
    if (!stats.isFile()) return unread('is not a file');
    if (stats.size > maxBytes) return unread(`is too big: ${stats.size} bytes, at most ${maxBytes} are read`);
    const bytes = await firstBytes(file, maxBytes + 1);
    if (bytes.length > maxBytes) return unread(`is too big: at most ${maxBytes} bytes are read`);
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return { kind: 'text', text, sha256: createHash('sha256').update(bytes).digest('hex'), isOthers: isOthers(stats) };
  } catch (error) {
    if (error instanceof TypeError) return unread('is not text in UTF-8');
    return unread(`cannot be read (${(error as NodeJS.ErrnoException).code ?? String(error)})`);
  } finally {
    await file?.close();
  }
}

/** A file may grow while it is read. */
async function firstBytes(file: FileHandle, count: number): Promise<Buffer> {
  const buffer = Buffer.alloc(count);
  let length = 0;
  while (length < count) {
    const { bytesRead } = await file.read(buffer, length, count - length, length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return buffer.subarray(0, length);
}

const WRITABLE_BY_ALL = 0o002;

function isOthers({ uid, mode }: { readonly uid: number; readonly mode: number }): boolean {
  const self = process.getuid?.();
  return self !== undefined && ((uid !== self && uid !== 0) || (mode & WRITABLE_BY_ALL) !== 0);
}

const unread = (why: string): Unread => ({ kind: 'unread', why });
