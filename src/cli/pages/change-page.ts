import type { ChangedPath, RunChange } from '../../hosts/local/run-change.ts';
import { grouped } from '../../text/amount.ts';
import { amount, oneLine, plain } from '../../projections/phrases.ts';
import type { Colours } from '../terminal/output.ts';
import { columns } from './table.ts';

const MAX_NAME_CHARS = 120;
const MAX_NAMED_FILES = 20;
/** More of a change than that is read in a pager. */
const MAX_SHOWN_LINES = 400;

/** As in `3 files, +10 −2`. */
export function changeTotal(files: readonly ChangedPath[]): string {
  const sum = (count: (file: ChangedPath) => number | null) =>
    grouped(files.reduce((total, file) => total + (count(file) ?? 0), 0));
  return `${amount(files.length, 'file')}, +${sum(({ added }) => added)} −${sum(({ removed }) => removed)}`;
}

/** One line for each file, then the total. */
export const statLines = (files: readonly ChangedPath[]): string[] => [
  ...columns(files.map((file) => [file.status, countsOf(file), oneLine(file.path, MAX_NAME_CHARS)])),
  ...(files.length === 0 ? [] : [changeTotal(files)]),
];

/** Which states are compared, and what to know of them. */
export function sideLines({ run, from, to, files, uncaptured, leftOut }: RunChange): string[] {
  const notes = [from.note, to.note].filter((note) => note !== null);
  const total = files.length === 0 ? 'no file differs' : changeTotal(files);
  const lines = [
    ...leftOut.map(({ path, because }) => `not captured: ${plain(path)} (${because})`),
    ...uncaptured.map((path) => `not captured, in another repository: ${plain(path)}`),
  ];
  const named = lines.slice(0, MAX_NAMED_FILES);
  const more = lines.length - named.length;
  return [
    `run ${run}, from ${from.name} to ${to.name}: ${total}`,
    ...notes,
    ...named,
    ...(more > 0 ? [`and ${more} more`] : []),
  ];
}

/** A patch for a terminal: no control characters, and only as many lines as can be read. */
export function patchLines(patch: Uint8Array, colours: Colours): { readonly shown: string[]; readonly more: number } {
  const lines = new TextDecoder().decode(patch).replace(/\n$/, '').split('\n');
  const shown = lines.slice(0, MAX_SHOWN_LINES).map((line) => coloured(plain(line), colours));
  return { shown: patch.length === 0 ? [] : shown, more: lines.length - shown.length };
}

const countsOf = ({ binary, added, removed }: ChangedPath): string =>
  binary ? 'binary' : `+${grouped(added ?? 0)} −${grouped(removed ?? 0)}`;

function coloured(line: string, { bold, cyan, green, red }: Colours): string {
  if (/^(diff --git|index |--- |\+\+\+ |new file|deleted file|old mode|new mode)/.test(line)) return bold(line);
  if (line.startsWith('@@')) return cyan(line);
  if (line.startsWith('+')) return green(line);
  return line.startsWith('-') ? red(line) : line;
}
