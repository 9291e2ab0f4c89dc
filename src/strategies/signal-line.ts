import { leadsOn } from './text-that-leads.ts';
import { headingOf, isUnderOtherHeading } from './signal-heading.ts';
import { breaksOff, introducesIt, isConditional, isOfAPiece, isTakenBack, NAMES_IT } from './signal-phrases.ts';
import { isOnly } from './signal-token.ts';

const IS_LISTED = /^\s*([-*+]|\d+[.)])\s/;
const IS_CHECKED = /^\s*[-*+]?\s*\[[xX]\]/;
const IS_HEADING = /^\s*#/;
const IS_RULE = /^\s*([-*_])(\s*\1){2,}\s*$/;
const IS_ONE_WORD = /^[^\p{L}\p{N}_]*[\p{L}\p{N}_-]+$/u;
const ENDS_A_SENTENCE = /[.!?。！？…][)\]"'”’»*_\s\p{Extended_Pictographic}\uFE0F]*$/u;
const LEADS_WITH_A_SIGN = /([:：]|\s-{1,2}|[–—])[*_\s]*$/;
/** The next line finishes the sentence that the signal begins. */
const GOES_ON =
  /^\s*(is|was|would|will|when|once|if|unless|until|as soon|means|and|or|but|only|after|can|cannot|should|has|for|to)\b/;
const OPEN_ITEM =
  /^[ \t\-*+|#]*(TODO|REMAINING|PENDING|IN PROGRESS|NOT DONE|NEXT|BLOCKED|\[ \]|([Tt]o ?do|[Rr]emaining|[Mm]issing|[Ss]till open)\b[^:\n]{0,40}:)/;
/** An ordinary word or phrase, which sentences about the work contain. */
const IS_WORD = /^[\p{L}\p{N}\s'’-]+$/u;
/** A command, a line of a log or a statement: the next line may be what a program has printed. */
const IS_OUTPUT = /^\s*[$%]\s\S|^\s*\[[\d:.\sTZ-]+\]|\.{3}\s*$|[;{}]\s*$|\w\([^()]*\);?\s*$/;
/** How much is done, as a line of its own. */
const IS_SHARE = /^[^\p{L}\d]*(?!100\b)\d+(\.\d+)?\s?%[^\p{L}]*$/u;
/** How much of the text around a signal is read. */
const NEAR_LINES = 40;
const NEAR_CHARS = 4_000;
const LEAD_CHARS = 400;

const isBlank = (line: string): boolean => line.trim() === '';

/** `DONE` is an ordinary word, `TASK_COMPLETE` and `[COMPLETE]` are not. */
export const isOrdinary = (signal: string): boolean => IS_WORD.test(signal);

/** The lines of an answer that are a signal alone, by their index, and whether each is given. */
export function signalsAlone(lines: readonly string[], signal: string): ReadonlyMap<number, boolean> {
  const last = lines.findLastIndex((line) => !isBlank(line) && !IS_RULE.test(line));
  const hasOpenItems = lines.some((line) => OPEN_ITEM.test(line));
  return new Map(
    lines.flatMap((line, at) => {
      if (!isOnly(signal, line)) return [];
      if (at < last && isOrdinary(signal)) return [[at, false] as const];
      return [[at, isGiven(lines, at, { signal, isLast: at === last, hasOpenItems })] as const];
    }),
  );
}

interface Place {
  readonly signal: string;
  readonly isLast: boolean;
  readonly hasOpenItems: boolean;
}

function isGiven(lines: readonly string[], at: number, { signal, isLast, hasOpenItems }: Place): boolean {
  const line = lines[at] ?? '';
  const [above = '', below = ''] = [lines[at - 1], lines[at + 1]];
  if (IS_HEADING.test(line) && (!isLast || isOrdinary(signal))) return false;
  if (hasOpenItems && (isOrdinary(signal) || IS_LISTED.test(line))) return false;
  const isItem = IS_LISTED.test(line) && !IS_CHECKED.test(line);
  if (isItem && [above, below].some((next) => IS_LISTED.test(next))) return false;
  const isNamed = headingOf(above) !== null || NAMES_IT.test(above);
  if ((!isNamed && isOtherWord(above, signal)) || isOtherWord(below, signal) || GOES_ON.test(below)) return false;
  if (IS_OUTPUT.test(above) || IS_SHARE.test(above) || isUnderOtherHeading(lines, at, signal)) return false;
  const after = lines.slice(at + 1, at + 1 + NEAR_LINES).join('\n');
  return !isTakenBack(after.slice(0, NEAR_CHARS)) && !isLedTo(lines, at);
}

/** A word without a full stop beside the signal: they are a list of words. */
const isOtherWord = (line: string, signal: string): boolean =>
  IS_ONE_WORD.test(line) && /\p{L}/u.test(line) && !isOnly(signal, line);

/** Whether a sentence before the line would be finished by it. */
function isLedTo(lines: readonly string[], at: number): boolean {
  const before = lines.slice(Math.max(0, at - NEAR_LINES), at);
  const last = before.findLastIndex((line) => !isBlank(line) && !IS_RULE.test(line));
  if (last < 0) return false;
  const first = before.findLastIndex((line, index) => index < last && isBlank(line)) + 1;
  const lead =
    before
      .slice(first, last + 1)
      .join(' ')
      .slice(-LEAD_CHARS)
      .split(/(?<=[.!?。！？])\s+/)
      .at(-1) ?? '';
  if (LEADS_WITH_A_SIGN.test(lead)) return !introducesIt(lead);
  if (ENDS_A_SENTENCE.test(lead)) return false;
  if (isConditional(lead) || isOfAPiece(lead)) return true;
  return !IS_ONE_WORD.test(headingOf(before[last] ?? '') ?? '…') && (breaksOff(lead) || leadsOn(lead));
}
