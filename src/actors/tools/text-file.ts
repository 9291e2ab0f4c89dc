import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { MAX_FILE_BYTES } from './limits.ts';
import { ToolRefusal, fileRefusal } from './refusal.ts';

/** A file that is named in two ways: as the model named it, and where it really is. */
interface Place {
  readonly path: string;
  readonly real: string;
}

/** The text of a UTF-8 file of at most `MAX_FILE_BYTES`, line ends as they are. Anything else is refused. */
export async function readText({ path, real }: Place): Promise<string> {
  // Not blocking: a named pipe would wait for its writer for ever.
  const flags = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW;
  const file = await open(real, flags).catch((error: unknown) => {
    throw fileRefusal(path, error);
  });
  try {
    const stats = await file.stat();
    if (stats.isDirectory()) throw new ToolRefusal('file_refused', `${path}: it is a directory, not a file`);
    if (!stats.isFile()) throw new ToolRefusal('file_refused', `${path}: it is not a regular file`);
    refuseAbove(path, stats.size);
    return decode(path, await file.readFile());
  } finally {
    await file.close();
  }
}

/** Puts a text in the file's place at once: whoever reads sees the old or the new, never a part. Creates folders. */
export async function replaceText(place: Place, text: string, effect: string, signal: AbortSignal): Promise<void> {
  const { path, real } = place;
  refuseAbove(path, Buffer.byteLength(text));
  try {
    const mode = await modeOf(place);
    await mkdir(dirname(real), { recursive: true });
    const draft = join(dirname(real), draftName(real, effect));
    try {
      await writeDurably(draft, text, mode);
      signal.throwIfAborted();
      await rename(draft, real);
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    }
    await syncDirectory(dirname(real));
  } catch (error) {
    throw fileRefusal(path, error);
  }
}

function refuseAbove(path: string, bytes: number): void {
  if (bytes <= MAX_FILE_BYTES) return;
  throw new ToolRefusal('file_refused', `${path}: ${bytes} bytes are more than the ${MAX_FILE_BYTES} a file may have`);
}

function decode(path: string, bytes: Buffer): string {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    if (!text.includes('\0')) return text;
  } catch {
    // Said below, as for a null byte.
  }
  throw new ToolRefusal('file_refused', `${path}: it is a binary file, not UTF-8 text`);
}

/** Null where nothing is yet. */
async function modeOf({ path, real }: Place): Promise<number | null> {
  const stats = await stat(real).catch(() => null);
  if (stats === null) return null;
  if (!stats.isFile()) throw new ToolRefusal('file_refused', `${path}: it is a directory or no regular file`);
  return stats.mode;
}

/** The same for the same effect, so that one that is started again after a crash clears up behind the one before. */
const draftName = (real: string, effect: string): string =>
  `.${createHash('sha256').update(`${basename(real)}\0${effect}`).digest('hex').slice(0, 16)}.draft`;

async function writeDurably(draft: string, text: string, mode: number | null): Promise<void> {
  const { O_WRONLY, O_CREAT, O_TRUNC, O_NOFOLLOW } = constants;
  const file = await open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW);
  try {
    if (mode !== null) await file.chmod(mode);
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** A renaming that only the memory knows would be lost with the power, and the log would be wrong. */
async function syncDirectory(directory: string): Promise<void> {
  const handle: FileHandle = await open(directory, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
