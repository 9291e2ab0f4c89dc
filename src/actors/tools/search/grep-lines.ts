import { basename, dirname } from 'node:path';
import { BoundedText } from '../../bound-text.ts';
import { hold, nameIn } from '../folder-handle.ts';
import { MAX_FILE_BYTES, MAX_OUTPUT_BYTES } from '../tool.ts';
import { ToolRefusal } from '../confine.ts';
import { begin } from './begin.ts';
import { namePattern } from './name-pattern.ts';
import type { GrepRequest } from './request.ts';
import { lineMatcher, matchingLines } from './text-search.ts';
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import type { OpenFolder } from './walk.ts';

type SmallFile =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'binary' | 'too_large' | 'unreadable' };

const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK, O_NOCTTY } = constants;
const buffer = Buffer.alloc(MAX_FILE_BYTES + 1);

/** A file as text, whatever its encoding, where it is small enough and has no null byte. */
function readSmallFile(folder: OpenFolder, name: string): SmallFile {
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

/** Room for the notes at the end. */
const NOTE_BYTES = 1_000;

/** The lines of files that match a pattern, with where they are. */
export async function grepLines(request: GrepRequest, isFile: boolean): Promise<string> {
  const report = new GrepReport(request);
  if (isFile) return await grepFile(request, report);
  const fits = request.glob === null ? () => true : namePattern(request.glob);
  await using begun = await begin(request);
  for (const { path, kind, folder, name } of begun.walk.through(begun.folder)) {
    if (kind === 'file' && fits(path)) report.take(request.prefix + path, readSmallFile(folder, name));
  }
  return report.said(begun.walk.notes);
}

async function grepFile(request: GrepRequest, report: GrepReport): Promise<string> {
  const { place } = request;
  await using folder = await hold(place, dirname(place.real));
  const file = readSmallFile(folder, basename(place.real));
  if (file.kind === 'unreadable') throw new ToolRefusal('file_refused', `${place.path}: it cannot be read`);
  report.take(place.path, file);
  return report.said([]);
}

class GrepReport {
  readonly #request: GrepRequest;
  readonly #matcher: RegExp;
  readonly #text = new BoundedText(MAX_OUTPUT_BYTES - NOTE_BYTES);
  readonly #skipped = { binary: 0, too_large: 0, unreadable: 0 };
  #matches = 0;
  #files = 0;

  constructor(request: GrepRequest) {
    this.#request = request;
    this.#matcher = lineMatcher(request.pattern);
  }

  take(path: string, file: SmallFile): void {
    if (file.kind !== 'text') {
      this.#skipped[file.kind] += 1;
      return;
    }
    const { context, show } = this.#request;
    let count = 0;
    let before: number | null = null;
    for (const { line, text, isMatch } of matchingLines(file.text, this.#matcher, show === 'content' ? context : 0)) {
      if (isMatch) count += 1;
      if (show !== 'content') continue;
      if (context > 0 && this.#text.totalBytes > 0 && before !== line - 1) this.#text.add('--\n');
      const mark = isMatch ? ':' : '-';
      this.#text.add(`${path}${mark}${line}${mark}${text}\n`);
      before = line;
    }
    if (count === 0) return;
    this.#files += 1;
    this.#matches += count;
    if (show === 'files') this.#text.add(`${path}\n`);
    if (show === 'counts') this.#text.add(`${path}:${count}\n`);
  }

  said(notes: readonly string[]): string {
    const { binary, too_large: large, unreadable } = this.#skipped;
    const found = this.#matches === 0 ? 'no line matches' : `${this.#matches} lines match, in ${this.#files} files`;
    const lines = [
      found,
      ...(binary > 0 ? [`${binary} binary files not searched`] : []),
      ...(large > 0 ? [`${large} files of more than ${MAX_FILE_BYTES} bytes not searched`] : []),
      ...(unreadable > 0 ? [`${unreadable} files could not be read`] : []),
      ...notes,
    ];
    return `${this.#text}${lines.map((line) => `[${line}]`).join('\n')}`;
  }
}
