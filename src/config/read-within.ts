import { createHash } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
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

/** The beginning of a file's text. */
interface FileStart {
  readonly kind: 'text';
  readonly text: string;
  /** There is more of it. */
  readonly isCut: boolean;
  /** The size of the whole file. */
  readonly bytes: number;
}

/** Reads a regular UTF-8 file of bounded size. Pipes and devices are refused without waiting for them. */
export const boundedRead = (path: string, maxBytes: number): Promise<FileText | Unread> =>
  withFile(path, async (file, stats) => {
    if (stats.size > maxBytes) return unread(`is too big: ${stats.size} bytes, at most ${maxBytes} are read`);
    const bytes = await firstBytes(file, maxBytes + 1);
    if (bytes.length > maxBytes) return unread(`is too big: at most ${maxBytes} bytes are read`);
    const text = decoder().decode(bytes);
    return { kind: 'text', text, sha256: createHash('sha256').update(bytes).digest('hex'), isOthers: isOthers(stats) };
  });

/** The beginning of a regular UTF-8 file of any size: no more than so much of it is read. */
export const boundedStart = (path: string, maxBytes: number): Promise<FileStart | Unread> =>
  withFile(path, async (file, stats) => {
    const read = await firstBytes(file, maxBytes);
    const isCut = stats.size > read.length;
    // Where a text is cut its last character may be, too: it is left out.
    return {
      kind: 'text',
      text: decoder().decode(read, { stream: isCut }),
      isCut,
      bytes: Math.max(stats.size, read.length),
    };
  });

/** The end of a regular file of any size, as text: what is no UTF-8 becomes a mark. It begins with a whole line. */
export const boundedEnd = (path: string, maxBytes: number): Promise<Unread | Pick<FileStart, 'kind' | 'text'>> =>
  withFile(path, async (file, { size }) => {
    const from = Math.max(0, size - maxBytes);
    const text = new TextDecoder().decode(await firstBytes(file, Math.min(size, maxBytes), from));
    return { kind: 'text', text: from === 0 ? text : text.slice(text.indexOf('\n') + 1) };
  });

const decoder = () => new TextDecoder('utf-8', { fatal: true });

async function withFile<Read>(
  path: string,
  read: (file: FileHandle, stats: Stats) => Promise<Read | Unread>,
): Promise<Read | Unread> {
  let file: FileHandle | null = null;
  try {
    file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const stats = await file.stat();
    return stats.isFile() ? await read(file, stats) : unread('is not a file');
  } catch (error) {
    if (error instanceof TypeError) return unread('is not text in UTF-8');
    return unread(`cannot be read (${(error as NodeJS.ErrnoException).code ?? String(error)})`);
  } finally {
    await file?.close();
  }
}

/** So many bytes of a file, or fewer: it may change while it is read. */
async function firstBytes(file: FileHandle, count: number, from = 0): Promise<Buffer> {
  const buffer = Buffer.alloc(count);
  let length = 0;
  while (length < count) {
    const { bytesRead } = await file.read(buffer, length, count - length, from + length);
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
