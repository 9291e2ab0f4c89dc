import type { Box, Line } from './sketch.ts';

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Sizes of letters, in pixels. One font of even width throughout, so that nobody needs to have it to know how wide a text is. */
export const TITLE_PX = 14;
export const TEXT_PX = 11;
export const TITLE_LINE_PX = 20;
export const TEXT_LINE_PX = 15;
export const INSET_PX = 12;
/** The gap between what a state is and what it does. */
export const GAP_PX = 6;
export const DOT_PX = 12;
const MARK_PX = 18;
const MOST_COLUMNS = 34;
/** Endings stand side by side. */
const MOST_COLUMNS_OF_AN_ENDING = 22;
/** The widest of the usual fonts of even width, as a part of their size. */
const LETTER = 0.62;

export const widthOf = (text: string, size: number): number => {
  const columns = [...text].reduce((sum, letter) => sum + ((letter.codePointAt(0) ?? 0) > 0x2e_7f ? 1.8 : 1), 0);
  return Math.ceil(columns * size * LETTER);
};

/** What a line says, and how often that was so. */
export const wordsOf = ({ text, taken }: Line): string => (taken ? `${text} ×${taken}` : text);

export const labelOf = (lines: readonly Line[]): Size => ({
  width: Math.max(0, ...lines.map((line) => widthOf(wordsOf(line), TEXT_PX))),
  height: lines.length * TEXT_LINE_PX,
});

/** The box without its parts: title, description, and what it does where it stands. */
export function headOf(box: Box): Size {
  if (box.kind === 'start') return { width: DOT_PX, height: DOT_PX };
  const described = descriptionOf(box);
  const lines = labelOf(box.lines);
  const title = widthOf(box.title, TITLE_PX) + (box.active ? MARK_PX : 0) + (box.visits ? widthOf(badgeOf(box.visits), TEXT_PX) + MARK_PX : 0);
  return {
    width: 2 * INSET_PX + Math.max(title, lines.width, ...described.map((line) => widthOf(line, TEXT_PX))),
    height: INSET_PX + TITLE_LINE_PX + described.length * TEXT_LINE_PX + (lines.height > 0 ? lines.height + GAP_PX : 0),
  };
}

export const badgeOf = (visits: number): string => `×${visits}`;

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
