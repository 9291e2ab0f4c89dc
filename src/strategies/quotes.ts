/**
 * Text that is shown rather than said: code, quotations, and quoted lines. A quotation without an end does not count.
 */
const SHOWN: readonly RegExp[] = [
  /^[ \t]*(`{3,}|~{3,})[^\n]*\n[^]*?(^[ \t]*\1[`~]*[ \t]*$|(?![^]))/gm,
  /(?<!`)(`{1,3})(?!`)[^\n]{0,2000}?[^`]\1(?!`)/g,
  /^[ \t]*>[^\n]*$/gm,
  /^(?: {4}|\t)[^\n]*$/gm,
  /"(?:[^"\n]|\n(?![ \t]*\n)){0,2000}"/g,
];
/** Replaces such text: a sign that is neither a word nor the end of a sentence. */
const GAP = '\u2026';

// Quotations whose signs differ, or may be apostrophes, can have any number of openings before one end. A pattern would
// read on from each of them: here each end is looked for once, so that a text of many megabytes takes no longer.

const OPENING = /[“„«「]/g;
const ENDS: Readonly<Record<string, RegExp>> = { '“': /”/g, '„': /[“”]/g, '«': /»/g, '「': /」/g };
const MAX_QUOTED_CHARS = 2_000;

/** An apostrophe follows a letter or a digit, or is followed by one. */
const SINGLE_OPENING = /(?<![\p{L}\p{N}])['‘](?=\S)/gu;
const SINGLE_END = /['’](?![\p{L}\p{N}])/gu;
const EMPTY_LINE = /\n[ \t]*\n/g;
const MAX_SINGLE_QUOTED_CHARS = 500;

/** A text without its code and quotations. */
export function withoutQuotes(text: string): string {
  const left = SHOWN.reduce((before, shown) => before.replace(shown, GAP), text);
  return withoutSingle(withoutPairs(left));
}

function withoutPairs(text: string): string {
  const next = Object.fromEntries(Object.entries(ENDS).map(([sign, end]) => [sign, nextIn(text, end)]));
  return withGaps(text, OPENING, (at) => {
    const end = next[text.charAt(at)]?.(at + 1) ?? Infinity;
    return end - at - 1 <= MAX_QUOTED_CHARS ? end : null;
  });
}

function withoutSingle(text: string): string {
  const [nextEnd, nextEmptyLine] = [nextIn(text, SINGLE_END), nextIn(text, EMPTY_LINE)];
  return withGaps(text, SINGLE_OPENING, (at) => {
    const end = nextEnd(at + 1);
    return nextEmptyLine(at + 1) > end && isShort(text, at + 1, end) ? end : null;
  });
}

/** A character beyond the first 65,536 is two places long. */
const isShort = (text: string, from: number, to: number): boolean =>
  to - from <= 2 * MAX_SINGLE_QUOTED_CHARS && Array.from(text.slice(from, to)).length <= MAX_SINGLE_QUOTED_CHARS;

/** Replaces what begins with an opening and ends with the sign at `endOf` it. Null: it has no end. */
function withGaps(text: string, opening: RegExp, endOf: (at: number) => number | null): string {
  const parts: string[] = [];
  let from = 0;
  for (const { index } of text.matchAll(opening)) {
    const end = index < from ? null : endOf(index);
    if (end === null) continue;
    parts.push(text.slice(from, index), GAP);
    from = end + 1;
  }
  return parts.join('') + text.slice(from);
}

/** Where a pattern matches next, for places that are asked for in order. Infinity: nowhere. */
function nextIn(text: string, pattern: RegExp): (from: number) => number {
  const found = text.matchAll(pattern);
  let at = -1;
  return (from) => {
    while (at < from) at = found.next().value?.index ?? Infinity;
    return at;
  };
}
