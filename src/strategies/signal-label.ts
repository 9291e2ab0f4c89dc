import { isOfPiece, isOfSomethingElse, isPlanned, isTakenBack, NAMES_IT, NOTHING_LEFT } from './signal-phrases.ts';
import { DENIES, EMOJI, isOnly, MARK } from './signal-token.ts';

/** Between a label and what it says. */
const DIVIDES = /[:：]|\s-{1,2}\s|\s?[–—]\s?/g;
const EMPHASIS = /\*+|(?<![\p{L}\p{N}])_+|_+(?![\p{L}\p{N}])/gu;
const BEGINS = new RegExp(`^${MARK}[\\s${EMOJI}]*`, 'u');
const IS_LISTED = /^\s*([-*+]|\d+[.)])\s/;
/** A placeholder, the signal as another text has it, or one that goes on. */
const IS_SHOWN = /["'“”„‘’«»「」『』<>]|\.{2}/;
/** A label of source text, an option or an example. */
const IS_CODE = /["'“”$={}<>\\/]|^-|\b(e\.g|i\.e)\b/i;
/** A field beside it whose value is open. */
const IS_OPEN_FIELD =
  /[:：–—-]\s*(to-?do|open|in progress|wip|pending|waiting|blocked|fail(s|ed|ing)|not started|next|partial(ly)?)\b/i;
/** A field beside it, or a heading above it, that names a part of the work. */
const IS_PIECE =
  /^[^\p{L}]*(ticket|issue|story|card|pr|sub-?task|item|step|phase|stage|part|milestone|component|module|file)\b/iu;
const IS_ENDED = /[.!?。！？][^\p{L}\p{N}]*$/u;
const SENTENCE = /(?<=[.!?。！？])\s+/;
const MAX_LINE_CHARS = 300;
/** How much of the text above a label is read. */
const NEAR_LINES = 40;

/** A line of an answer, and how often each label has a line in it. */
export interface LabelledLine {
  readonly lines: readonly string[];
  readonly at: number;
  readonly labels: ReadonlyMap<string, number>;
}

/** How often each label begins a line. */
export function labelsIn(lines: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const line of lines) {
    const label = /^[^:：]+(?=[:：])/.exec(plain(line).slice(0, MAX_LINE_CHARS))?.[0];
    if (label !== undefined) counts.set(keyOf(label), (counts.get(keyOf(label)) ?? 0) + 1);
  }
  return counts;
}

/**
 * The signal that a line gives behind a label of the whole: `Status: DONE`, `Final answer: DONE`, or
 * `No remaining issues - DONE`. Undefined where nothing but that is there, and the label may be of a part of the work.
 */
export function signalBehindLabel(place: LabelledLine, signals: readonly string[]): string | undefined {
  const line = place.lines[place.at] ?? '';
  if (line.length > MAX_LINE_CHARS || DENIES.test(line)) return undefined;
  return signals.find((signal) => isBehindLabel(place, signal, line.includes(signal)));
}

function isBehindLabel({ lines, at, labels }: LabelledLine, signal: string, isThere: boolean): boolean {
  if (!isThere) return false;
  const line = lines[at] ?? '';
  const text = /^[*_]|[*_]$/.test(signal) ? line : plain(line);
  const isGiven = [...text.matchAll(DIVIDES)].some(({ 0: sign, index }) => {
    const said = text.slice(index + sign.length);
    if (IS_SHOWN.test(said) || !isOnly(signal, said)) return false;
    const label = text.slice(0, index);
    return (labels.get(keyOf(label)) ?? 1) === 1 && isOfTheWhole(label, IS_LISTED.test(line));
  });
  return isGiven && !isOfSomethingAbove(lines, at);
}

/** Sentences before the label on its line may not take it back, nor be about a part of the work. */
function isOfTheWhole(text: string, isListed: boolean): boolean {
  const sentences = text.replace(BEGINS, '').split(SENTENCE);
  const label = sentences.at(-1) ?? '';
  const before = sentences.slice(0, -1).join(' ');
  if (IS_CODE.test(`${before}${label}`)) return false;
  if (before !== '' && (isListed || /[?？]/.test(before) || isOfPiece(before) || isTakenBack(before))) return false;
  if (NAMES_IT.test(label)) return !isPlanned(before);
  const rest = label.replace(NOTHING_LEFT, '');
  if (rest === label || isOfSomethingElse(label)) return false;
  const clause = rest.replace(/[\s,]*\b(and|so|with)?\s*$/i, '');
  return !isPlanned(`${before} ${clause}`) && !isTakenBack(clause);
}

/** Tells whether lines directly above make it the label of a part of the work, of a plan or of an example. */
function isOfSomethingAbove(lines: readonly string[], at: number): boolean {
  const near = lines.slice(Math.max(0, at - NEAR_LINES), at);
  const above = near.slice(near.findLastIndex((line) => line.trim() === '') + 1).map(plain);
  if (above.some((line) => IS_PIECE.test(line) || isOfPiece(line) || IS_OPEN_FIELD.test(line))) return true;
  const lead = above.at(-1) ?? '';
  return lead !== '' && !IS_ENDED.test(lead) && !IS_LISTED.test(lead) && isPlanned(lead);
}

const plain = (line: string): string => line.replace(EMPHASIS, '');

const keyOf = (label: string): string => label.replace(BEGINS, '').trim().toLowerCase();
