import { withoutQuotes } from './quotes.ts';

/** The default completion signals. */
export const COMPLETION_SIGNALS: readonly string[] = ['TASK_COMPLETE', 'TASK_COMPLETED', 'DONE', '[COMPLETE]'];

/** A signal next to these characters is a piece of something else, such as a path, a variable or a longer word. */
const BEFORE = String.raw`(?<![\p{L}\p{N}_\-/\\.$#@=<])`;
const AFTER = String.raw`(?![\p{L}\p{N}_\-/\\$=(]|\.[\p{L}\p{N}])`;

const anyOf = (choices: string): string => `(${choices.split(' ').join('|')})`;

// Patterns of sentences that mention a signal without giving it.
const SAY = anyOf('say write reply respond print emit type');
const ALSO_SAY = anyOf('return include append mention send use add output answer signal echo');
const IN_THESE_WORDS = anyOf('with the only just exactly words? tokens? signals? phrase marker string back out a line');
const CONDITION = /\b(when|whenever|once|if|unless|until|as soon as|only after|in case)\b/i;
const NONE = anyOf("no not never nothing none cannot \\w+n't");
const NOT_QUITE = anyOf('far\\sfrom almost nearly half partly partially mostly yet considered?');
const LATER = anyOf('will would should must shall can could may might to\\sbe to\\sget');
const NOT_YET = new RegExp(`\\b(${NONE}|${NOT_QUITE}|${LATER})\\b|(?<![\\d.])(?!100\\b)\\d+(\\.\\d+)?\\s?%`, 'i');
const PIECE = anyOf('step phase part stage milestone section chapter item story ticket sub-?task task');
const ORDINAL = anyOf('first second third fourth fifth');
const A_PIECE = `(${PIECE}\\s+#?\\d+|${ORDINAL}\\s+[\\w-]+)`;
/** Only a part of the work is done. */
const OF_A_PIECE = new RegExp(`\\b${A_PIECE}[\\s*_]*(is|are|=>?|->|[:\\u2013\\u2014-])?[\\s*_]*$`, 'i');
const ASKS_TO_SAY = new RegExp(`\\b(${SAY}|${ALSO_SAY})(ing|e?[sd])?(\\s+${IN_THESE_WORDS})*\\s*$`, 'i');
const ASKS_FOR_A_LINE = new RegExp(`\\b${SAY}(\\s+\\w+){0,6}\\s*:\\s*$`, 'i');
const IS_LISTED = /^\s*([-*+]|\d+[.)]|\||\[[ xX]\]|#{1,6}\s)/;
const OPEN_ITEM = /^[ \t\-*+|#]*(TODO|REMAINING|PENDING|IN PROGRESS|NOT DONE|NEXT|BLOCKED|\[ \])/m;
const IS_ONE_WORD = /^[^\p{L}\p{N}_]*[\p{L}\p{N}_]+[^\p{L}\p{N}_]*$/u;
const ENDS_IN_A_WORD = /[\p{L}\p{N}_]$/u;
/** After a word: the sentence continues, so the word is a part of it. */
const GOES_ON = /^([^\S\n]*[*_~]*[^\S\n]*[\p{L}\p{N}=/|&]|[^\S\n]*\n\p{Ll})/u;
const IS_DENIED = /^[\s*_]*:[\s*_]*(no|not|none|false|pending|never|yet)\b/i;
/** How many characters around a signal are looked at, so that a sentence without an end stays bounded. */
const NEAR_CHARS = 300;
/** Emphasis, brackets and ticks around a word, and punctuation after it. */
const ORNAMENT = /[\s*_~>.!:()]|\p{Emoji_Presentation}|[\u2714\u2713]\uFE0F?/gu;

interface Sentence {
  readonly text: string;
  /** The line before it, where that ends with a colon. */
  readonly lead: string;
}

/**
 * The signal with which an answer calls the work complete; null where it gives none.
 *
 * A signal is a whole token, written as it is configured. It does not count inside a word or a path, in code or quotes,
 * in an instruction or a condition ("say DONE when finished"), where it is denied, promised or asked for, inside a
 * sentence about something else, or for a step or an item. In doubt there is no signal: a missed one costs an
 * iteration, an invented one ends the loop.
 *
 * @example
 * completionSignal('All tests pass. TASK_COMPLETE'); // 'TASK_COMPLETE'
 * completionSignal('I will say DONE when it works.'); // null
 */
export function completionSignal(output: string, signals: readonly string[] = COMPLETION_SIGNALS): string | null {
  const text = withoutQuotes(output);
  const said = signals.filter((signal) => text.includes(signal));
  if (said.length === 0) return null;
  const sentences = sentencesIn(text);
  const hasOpenItems = OPEN_ITEM.test(text);
  return said.find((signal) => sentences.some((sentence) => isGiven(signal, sentence, hasOpenItems))) ?? null;
}

function isGiven(signal: string, { text, lead }: Sentence, hasOpenItems: boolean): boolean {
  if (ASKS_FOR_A_LINE.test(lead) || CONDITION.test(lead)) return false;
  if (isAlone(signal, text)) return true;
  if (CONDITION.test(text) || text.trimEnd().endsWith('?') || IS_LISTED.test(text)) return false;
  return [...text.matchAll(tokenOf(signal))].some(({ index }) => {
    const before = text.slice(Math.max(0, index - NEAR_CHARS), index);
    const after = text.slice(index + signal.length, index + signal.length + NEAR_CHARS);
    if (isOfSomethingElse(before) || IS_DENIED.test(after)) return false;
    if (ENDS_IN_A_WORD.test(signal) && GOES_ON.test(after)) return false;
    const isLabel = /^\s*[*_]*:/.test(after);
    return !isLabel || (!hasOpenItems && !/^\s*[*_]*:\s*$/.test(after));
  });
}

function isOfSomethingElse(before: string): boolean {
  const clause = before.split(/[,;:()\u2013\u2014]/).at(-1) ?? '';
  return NOT_YET.test(clause) || ASKS_TO_SAY.test(clause) || ASKS_FOR_A_LINE.test(before) || OF_A_PIECE.test(before);
}

/** The sentence is the signal alone. A heading, or a label with its list still to come, does not count. */
function isAlone(signal: string, text: string): boolean {
  if (/^\s*#/.test(text) || /:[*_\s]*$/.test(text)) return false;
  const bare = text.replace(/^\s*[-*+]\s+/, '');
  return bare.replace(ORNAMENT, '') === signal.replace(ORNAMENT, '') && tokenOf(signal).test(bare);
}

function tokenOf(signal: string): RegExp {
  const literally = signal.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  return new RegExp(BEFORE + literally + AFTER, 'gu');
}

/** Wrapped lines belong together; a full stop, a list item or an empty line divides. */
function sentencesIn(text: string): Sentence[] {
  const paragraphs: string[] = [];
  let isOpen = false;
  for (const line of text.split('\n')) {
    const goesOn = isOpen && !IS_LISTED.test(line) && !IS_ONE_WORD.test(line);
    if (goesOn) paragraphs.push(`${paragraphs.pop() ?? ''}\n${line.trim()}`);
    else if (line.trim() !== '') paragraphs.push(line);
    isOpen = line.trim() !== '' && !/[.!?:][*_\s]*$/.test(line) && !IS_ONE_WORD.test(line);
  }
  return paragraphs.flatMap((paragraph, index) => {
    const before = paragraphs[index - 1] ?? '';
    const lead = /:[*_\s]*$/.test(before) ? before : '';
    const parts = paragraph.split(/(?<=[.!?])(?<!^\s*\d+[.])\s+/);
    return parts.map((part, place) => ({ text: part, lead: place === 0 ? lead : '' }));
  });
}
