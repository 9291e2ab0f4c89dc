import { plain } from '../../projections/phrases.ts';
import type { Colours } from '../terminal/output.ts';

/** More of a change than that is read in a pager. */
const MAX_SHOWN_LINES = 400;
/** Of all lines together: one alone may be as large as a file. */
const MAX_SHOWN_BYTES = 1024 * 1024;
/** A patch of that size or more, or one that is no text, is not repeated in JSON. */
const MAX_JSON_PATCH_BYTES = 1024 * 1024;

const LINE_END = 0x0a;

type Pieces = AsyncIterable<Uint8Array>;

/** A patch for a terminal: no control characters, and only as many lines as can be read. The others are counted. */
export async function patchLines(
  patch: Pieces,
  colours: Colours,
): Promise<{ readonly shown: string[]; readonly more: number }> {
  const head: Uint8Array[] = [];
  let bytes = 0;
  let total = 0;
  let last = LINE_END;
  for await (const piece of patch) {
    if (bytes < MAX_SHOWN_BYTES) head.push(piece.subarray(0, MAX_SHOWN_BYTES - bytes));
    bytes += piece.length;
    total += lineEnds(piece);
    last = piece.at(-1) ?? last;
  }
  if (last !== LINE_END) total += 1;
  const text = new TextDecoder().decode(Buffer.concat(head)) + (bytes > MAX_SHOWN_BYTES ? '…' : '');
  const shown = text === '' ? [] : text.replace(/\n$/, '').split('\n').slice(0, MAX_SHOWN_LINES);
  return { shown: shown.map((line) => coloured(plain(line), colours)), more: total - shown.length };
}

/** The whole patch as text; null where it is large or no text. No more of it is read then. */
export async function patchText(patch: Pieces): Promise<string | null> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of patch) {
    pieces.push(piece);
    bytes += piece.length;
    if (bytes >= MAX_JSON_PATCH_BYTES) return null;
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.concat(pieces));
  } catch {
    return null;
  }
}

function lineEnds(piece: Uint8Array): number {
  let found = 0;
  for (let at = piece.indexOf(LINE_END); at >= 0; at = piece.indexOf(LINE_END, at + 1)) found += 1;
  return found;
}

function coloured(line: string, { bold, cyan, green, red }: Colours): string {
  if (/^(diff --git|index |--- |\+\+\+ |new file|deleted file|old mode|new mode)/.test(line)) return bold(line);
  if (line.startsWith('@@')) return cyan(line);
  if (line.startsWith('+')) return green(line);
  return line.startsWith('-') ? red(line) : line;
}
