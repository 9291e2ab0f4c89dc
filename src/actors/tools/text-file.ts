import { createHash } from 'node:crypto';
import { type BigIntStats, constants } from 'node:fs';
import { type FileHandle, lstat, open, rename, rm } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { errorCode } from '../../text/error-code.ts';
import { type Place, ToolRefusal, fileRefusal } from './confine.ts';
import { type HeldFolder, hold } from './folder-handle.ts';
import { MAX_FILE_BYTES } from './tool.ts';
import { stampOf } from './file-stamps.ts';
import { draftOf } from '../../text/own-files.ts';

interface TextFile {
  readonly text: string;
  /** See `stampOf`. */
  readonly stamp: string;
}

interface Replacing {
  /** The effect id. */
  readonly effect: string;
  readonly signal: AbortSignal;
  /** Throws where what is there now, if anything is, must not be replaced. */
  readonly check?: (stamp: string) => void;
}

/** The text of a UTF-8 file of at most `MAX_FILE_BYTES`, line ends as they are. Anything else is refused. */
export async function readText(place: Place): Promise<TextFile> {
  const { path, real } = place;
  await using folder = await hold(place, dirname(real));
  try {
    await refuseSpecial(folder, place);
    await using file = await open(folder.at(basename(real)), READING);
    const stats = await file.stat({ bigint: true });
    refuseUnlessFile(path, stats);
    refuseAbove(path, stats.size);
    return { text: decode(path, await readBounded(path, file)), stamp: stampOf(stats) };
  } catch (error) {
    throw fileRefusal(path, error);
  }
}

/**
 * Replaces a file's text atomically: a reader sees the old or the new, never a part. Creates folders.
 * Answers with the stamp of the new file.
 */
export async function replaceText(place: Place, text: string, { effect, signal, check }: Replacing): Promise<string> {
  const { path, real } = place;
  if (real === place.root) throw new ToolRefusal('file_refused', `${path}: it is a directory, not a file`);
  refuseAbove(path, Buffer.byteLength(text));
  await using folder = await hold(place, dirname(real), true);
  const name = basename(real);
  const draft = folder.at(draftName(name, effect));
  try {
    const before = await refuseSpecial(folder, place);
    // Whatever bears that name is no file of ours that we may write into: it may be a link, hard or symbolic.
    await rm(draft, { force: true });
    try {
      const stamp = await writeDurably(draft, text, before === null ? null : Number(before.mode));
      const now = await refuseSpecial(folder, place);
      if (now !== null) check?.(stampOf(now));
      signal.throwIfAborted();
      await rename(draft, folder.at(name));
      await folder.sync();
      return stamp;
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    }
  } catch (error) {
    throw fileRefusal(path, error);
  }
}

/** Not blocking: a named pipe would wait for its writer. Not following: the place is real, so a link is new. */
const READING = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW | constants.O_NOCTTY;
const DRAFTING = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

/** What is there, null where nothing is. Before it is opened: opening a device may already do something. */
async function refuseSpecial(folder: HeldFolder, { path, real }: Place): Promise<BigIntStats | null> {
  const stats = await lstat(folder.at(basename(real)), { bigint: true }).catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  });
  if (stats !== null) refuseUnlessFile(path, stats);
  return stats;
}

function refuseUnlessFile(path: string, stats: BigIntStats): void {
  if (stats.isFile()) return;
  const what = stats.isDirectory() ? 'it is a directory, not a file' : 'it is not a regular file';
  throw new ToolRefusal('file_refused', `${path}: ${what}`);
}

function refuseAbove(path: string, bytes: number | bigint): void {
  if (bytes <= MAX_FILE_BYTES) return;
  throw new ToolRefusal('file_refused', `${path}: ${bytes} bytes are more than the ${MAX_FILE_BYTES} a file may have`);
}

/** It may grow while it is read, or be larger than it says. */
async function readBounded(path: string, file: FileHandle): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for (;;) {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(65_536), 0, 65_536, null);
    if (bytesRead === 0) return Buffer.concat(pieces);
    pieces.push(buffer.subarray(0, bytesRead));
    bytes += bytesRead;
    refuseAbove(path, bytes);
  }
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

/** The same for the same effect, so that one that is started again after a crash clears up behind the one before. */
const draftName = (name: string, effect: string): string =>
  draftOf(createHash('sha256').update(`${name}\0${effect}`).digest('hex').slice(0, 16));

async function writeDurably(draft: string, text: string, mode: number | null): Promise<string> {
  await using file = await open(draft, DRAFTING);
  if (mode !== null) await file.chmod(mode & 0o7777);
  await file.writeFile(text);
  await file.sync();
  return stampOf(await file.stat({ bigint: true }));
}
