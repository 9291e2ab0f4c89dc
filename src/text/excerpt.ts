import { type FailureLine, failureLinesIn } from './failure-line.ts';

const GAP = '…';

/** The start of a text, at most `maxChars` long. No character is split: half a surrogate pair could not be logged. */
export function head(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  return text.slice(0, maxChars - GAP.length).replace(/[\uD800-\uDBFF]$/, '') + GAP;
}

/** The start and the end of a text, together at most `maxChars` long. */
export function excerpt(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const start = Math.ceil(maxChars / 2);
  return head(text, start) + tail(text, maxChars - start + GAP.length).slice(GAP.length);
}

/** The end of a text, at most `maxChars` long: where a command says what went wrong. */
export function tail(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  return GAP + text.slice(text.length - maxChars + GAP.length).replace(/^[\uDC00-\uDFFF]/, '');
}

/** Room for the note on what is left out. */
const NOTE_CHARS = 50;
/** Below it a text is too short for two pieces: only its end is kept. */
const MIN_CHARS_OF_TWO_PIECES = 600;

/** Of a line that names a failure, in the middle of an output. */
const MAX_FAILURE_CHARS = 300;

/**
 * The first and the last lines of a text, together at most `maxChars` long, and between them a note that says how many
 * characters are left out. Two thirds are for the last lines. A line is cut only where it is longer than its piece.
 */
export function excerptOfLines(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const room = Math.max(1, maxChars - NOTE_CHARS);
  const start = maxChars < MIN_CHARS_OF_TWO_PIECES ? '' : firstLines(text, Math.floor(room / 3));
  const end = lastLines(text, room - start.length);
  const leftOut = text.length - start.length - end.length;
  return `${start === '' ? '' : `${start}\n`}[… ${leftOut} characters left out …]\n${end}`;
}

const MIDDLE = '[… the middle is left out …]';

/**
 * The start and the end of a message, together at most `maxChars` long; between them a line says that some is left out,
 * where there is room for one. `indent`: what every line of the message but the first begins with.
 */
export function excerptOfMessage(text: string, maxChars: number, indent = ''): string {
  if (text.length <= maxChars || maxChars < MIN_CHARS_OF_TWO_PIECES) return excerpt(text, maxChars);
  const mark = `\n${indent}${MIDDLE}\n${indent}`;
  const room = maxChars - mark.length;
  const start = head(text, Math.ceil(room / 2) + GAP.length).slice(0, -GAP.length);
  const end = tail(text, Math.floor(room / 2) + GAP.length).slice(GAP.length);
  return start + mark + end;
}

/**
 * How many characters each of several texts may have, so that all of them fit: short texts have less, and leave the
 * rest to the others. Infinity: all are whole.
 *
 * @example
 * roomForEach([10, 500, 900], 1_000); // 495
 */
export function roomForEach(lengths: readonly number[], chars: number): number {
  let rest = chars;
  for (const [index, length] of lengths.toSorted((one, other) => one - other).entries()) {
    const share = Math.floor(rest / (lengths.length - index));
    if (length > share) return share;
    rest -= length;
  }
  return Infinity;
}

/**
 * An output cut as `excerptOfLines` cuts it, with the lines of its middle that name a failure: the first of them, up to
 * a third of the room.
 */
export function excerptOfOutput(text: string, maxChars: number): string {
  const plainCut = excerptOfLines(text, maxChars);
  if (plainCut === text || maxChars < MIN_CHARS_OF_TWO_PIECES) return plainCut;
  const [start, end] = [Math.floor(maxChars / 4), Math.floor(maxChars / 3)];
  const from = firstLines(text, start).length + 1;
  const before = text.length - lastLines(text, end).length;
  const lines = failuresBetween(text.slice(from, before), maxChars - start - end - 2 * NOTE_CHARS);
  if (lines.length === 0) return plainCut;
  const leftOut = (from: number, to: number) => (to - from <= 1 ? '' : `[… ${to - from} characters left out …]\n`);
  let [shown, at] = [`${text.slice(0, from - 1)}\n`, from];
  for (const { at: place, line } of lines) {
    shown += `${leftOut(at, from + place)}${line}\n`;
    at = from + place + line.length + 1;
  }
  return `${shown}${leftOut(at, before)}${text.slice(before)}`;
}

function failuresBetween(text: string, maxChars: number): readonly FailureLine[] {
  let room = maxChars;
  const seen = new Set<string>();
  return [...failureLinesIn(text)].flatMap(({ at, line }) => {
    const cut = head(line, MAX_FAILURE_CHARS);
    const cost = cut.length + NOTE_CHARS;
    if (seen.has(cut) || cost > room) return [];
    seen.add(cut);
    room -= cost;
    return [{ at, line: cut }];
  });
}

function firstLines(text: string, maxChars: number): string {
  const end = text.lastIndexOf('\n', maxChars);
  return end > 0 ? text.slice(0, end) : head(text, maxChars);
}

function lastLines(text: string, maxChars: number): string {
  const start = text.indexOf('\n', text.length - maxChars - 1);
  return start >= 0 && start < text.length - 1 ? text.slice(start + 1) : tail(text, maxChars);
}
