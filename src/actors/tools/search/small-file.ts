import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { nameIn } from '../held-folder.ts';
import { MAX_FILE_BYTES } from '../limits.ts';
import type { OpenFolder } from './walk.ts';

export type SmallFile =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'binary' | 'too_large' | 'unreadable' };

const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK, O_NOCTTY } = constants;
const buffer = Buffer.alloc(MAX_FILE_BYTES + 1);

/** A file as text, whatever its encoding, where it is small enough and has no null byte. */
export function readSmallFile(folder: OpenFolder, name: string): SmallFile {
  let file: number | null = null;
  try {
    file = openSync(nameIn(folder.fd, folder.path, name), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
    const stats = fstatSync(file);
    if (!stats.isFile()) return { kind: 'unreadable' };
    if (stats.size > MAX_FILE_BYTES) return { kind: 'too_large' };
    return asText(file);
  } catch {
    return { kind: 'unreadable' };
  } finally {
    if (file !== null) closeSync(file);
  }
}

/** It may be larger than it says. */
function asText(file: number): SmallFile {
  let bytes = 0;
  for (let read = 1; read > 0 && bytes < buffer.length; bytes += read) {
    read = readSync(file, buffer, bytes, buffer.length - bytes, null);
  }
  if (bytes === buffer.length) return { kind: 'too_large' };
  const content = buffer.subarray(0, bytes);
  return content.includes(0) ? { kind: 'binary' } : { kind: 'text', text: content.toString('utf8') };
}
