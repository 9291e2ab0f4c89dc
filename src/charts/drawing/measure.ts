import type { Size } from './geometry.ts';
import type { Line } from './lines.ts';
import type { Box } from './sketch.ts';

export const TITLE_PX = 14;
export const TEXT_PX = 11;
export const TITLE_LINE_PX = 20;
export const TEXT_LINE_PX = 15;
export const INSET_PX = 12;
/** Between what a state is and what it does. */
export const GAP_PX = 6;
export const DOT_PX = 12;
/** Between a title and what stands beside it. */
const MARK_PX = 18;
const MOST_COLUMNS = 34;
/** Endings stand side by side. */
const MOST_COLUMNS_OF_AN_ENDING = 22;
/** The width of a character, as a part of the font size, in the widest of the usual monospaced fonts. */
const NARROW = 0.62;
const WIDE = 1.25;
const FIRST_WIDE = 0x2e_80;

export function widthOf(text: string, size: number): number {
  const characters = [...text].map((character) => ((character.codePointAt(0) ?? 0) < FIRST_WIDE ? NARROW : WIDE));
  return Math.ceil(size * characters.reduce((sum, width) => sum + width, 0));
}

/** What a line says, and how often that was so. */
export const wordsOf = ({ text, taken }: Line): string => (taken ? `${text} ${timesOf(taken)}` : text);
export const timesOf = (count: number): string => `×${count}`;

export const sizeOf = (lines: readonly Line[]): Size => ({
  width: Math.max(0, ...lines.map((line) => widthOf(wordsOf(line), TEXT_PX))),
  height: lines.length * TEXT_LINE_PX,
});

/** The box without its parts: title, description, and what it does where it stands. */
export function headOf(box: Box): Size {
  if (box.kind === 'start') return { width: DOT_PX, height: DOT_PX };
  const description = descriptionOf(box);
  const lines = sizeOf(box.lines);
  const badge = box.visits ? MARK_PX + widthOf(timesOf(box.visits), TEXT_PX) : 0;
  const title = widthOf(box.title, TITLE_PX) + (box.active ? MARK_PX : 0) + badge;
  return {
    width: 2 * INSET_PX + Math.max(title, lines.width, ...description.map((line) => widthOf(line, TEXT_PX))),
    height: bodyAt(description) + (lines.height > 0 ? GAP_PX + lines.height : 0) + INSET_PX / 2,
  };
}

/** How far down a box what a state does begins. */
export const bodyAt = (description: readonly string[]): number =>
  INSET_PX / 2 + TITLE_LINE_PX + description.length * TEXT_LINE_PX;

/** A state's description in lines that its box can hold. */
export function descriptionOf({ kind, description }: Box): string[] {
  const columns = kind === 'final' ? MOST_COLUMNS_OF_AN_ENDING : MOST_COLUMNS;
  const lines: string[] = [];
  for (const word of (description ?? '').split(/\s+/).filter(Boolean)) {
    const longer = [...lines.slice(-1), word].join(' ');
    if (lines.length > 0 && longer.length <= columns) lines.splice(-1, 1, longer);
    else lines.push(word);
  }
  return lines;
}
