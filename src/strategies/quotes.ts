/**
 * Text that is shown rather than said: quotations, and quoted lines. A quotation without an end does not count. What is
 * between ticks or fences goes before.
 */
const SHOWN: readonly RegExp[] = [/^[ \t]*>[^\n]*$/gm, /^(?: {4}|\t)[^\n]*$/gm, /"(?:[^"\n]|\n(?![ \t]*\n)){0,2000}"/g];
/** Replaces such text: a sign that is neither a word nor the end of a sentence. */
const GAP = '\u2026';

// Quotations whose signs differ, or may be apostrophes, can have any number of openings before one end. A pattern would
// read on from each of them: here each end is looked for once, so that a text of many megabytes takes no longer.

const OPENING = /[“„«「]/g;
/** So many ticks and no more open what the same number of them ends, on the same line. */
const TICKS = /(?<!`)`{1,3}(?!`)/g;
const LINE_END = /\n/g;
const FENCE = /^[ \t]*(`{3,}|~{3,})/;
const FENCE_END = /^[ \t]*([`~]{3,})[ \t]*$/;
const ENDS: Readonly<Record<string, RegExp>> = { '“': /”/g, '„': /[“”]/g, '«': /»/g, '「': /」/g };
const MAX_QUOTED_CHARS = 2_000;

/** An apostrophe follows a letter or a digit, or is followed by one. */
const SINGLE_OPENING = /(?<![\p{L}\p{N}])['‘](?=\S)/gu;
const SINGLE_END = /['’](?![\p{L}\p{N}])/gu;
const EMPTY_LINE = /\n[ \t]*\n/g;
const MAX_SINGLE_QUOTED_CHARS = 500;

/** A text without its code and quotations. */
export function withoutQuotes(text: string): string {
  const left = SHOWN.reduce((before, shown) => before.replace(shown, GAP), withoutTicks(withoutFences(text)));
  return withoutSingle(withoutPairs(left));
}

/** A fence without an end goes up to the end of the text. The last line opens none. */
function withoutFences(text: string): string {
  const lines = text.split('\n');
  const left: string[] = [];
  let fence: string | null = null;
  for (const [at, line] of lines.entries()) {
    if (fence !== null) {
      if (FENCE_END.exec(line)?.[1]?.startsWith(fence)) fence = null;
      continue;
    }
    fence = at < lines.length - 1 ? (FENCE.exec(line)?.[1] ?? null) : null;
    left.push(fence === null ? line : GAP);
  }
  return left.join('\n');
}

function withoutTicks(text: string): string {
  const runs = [...text.matchAll(TICKS)];
  const ends = new Map<number, number>();
  const next = new Map<string, number>();
  for (const { 0: ticks, index } of runs.toReversed()) {
    const end = next.get(ticks);
    const quoted = (end ?? Infinity) - index - ticks.length;
    if (end !== undefined && quoted <= MAX_QUOTED_CHARS) ends.set(index, end + ticks.length - 1);
    next.set(ticks, index);
  }
  const nextLineEnd = nextIn(text, LINE_END);
  return withGaps(text, TICKS, (at) => {
    const end = ends.get(at) ?? Infinity;
    return nextLineEnd(at) > end && end < Infinity ? end : null;
  });
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
