import { introducesIt, isConditional, isInPart, isOfSomethingElse, isTakenBack, saysSo } from './signal-phrases.ts';
import { DENIES, tokenOf } from './signal-token.ts';

const IS_LISTED = /^\s*([-*+]\s|\d+[.)]|\||\[[ xX]\]|#{1,6}\s)/;
const IS_FINISHED = /[.!?:。！？：\p{Extended_Pictographic}][*_\s\uFE0F]*$/u;
const ENDS_IN_A_WORD = /[\p{L}\p{N}_]$/u;
/** Around a signal that begins or ends its sentence. */
const NOTHING_BEFORE = /^[\s*_(（\p{Extended_Pictographic}\uFE0F]*$/u;
const NOTHING_AFTER = /^[\s*_)）.!。！\p{Extended_Pictographic}\uFE0F]*$/u;
const DIVIDES = /^[\s*_]*([:：,，;；()（.!。！–—-]|\n\p{Lu})/u;
/** A separator between what is said and the signal, or none. */
const SEPARATOR = /[\s*_:：,，;；(（–—>=-]+$/u;
/** One of several words that an answer may be. */
const IS_OFFERED = /^[\s*_`]*(or\b|\/)/i;
const LABELS = /^[\s*_]*[:：]/;
const IS_DENIED =
  /^[\s*_]*[:：(（,–—-][\s*_]*((no|not|none|false|pending|never|yet)(?!\s*[\p{L}])|partly|partially|almost|nearly|half)/iu;
/** How many characters around a signal are looked at, so that a sentence without an end stays bounded. */
const NEAR_CHARS = 300;
const NEAR_SENTENCES = 20;

interface Sentence {
  readonly text: string;
  /** The line before it, where that ends with a colon. */
  readonly lead: string;
}

/** Whether the signal is given within the sentences of these lines. */
export function isSaid(signal: string, lines: readonly string[]): boolean {
  const sentences = sentencesIn(lines);
  return sentences.some((sentence, index) => {
    if (!sentence.text.includes(signal)) return false;
    const next = sentences.slice(index + 1, index + 1 + NEAR_SENTENCES).map(({ text }) => text.slice(0, NEAR_CHARS));
    return isGiven(signal, sentence, next.join(' '));
  });
}

/** `next`: the sentences after it. */
function isGiven(signal: string, { text, lead }: Sentence, next: string): boolean {
  if (lead !== '' && !introducesIt(lead)) return false;
  if (isConditional(text) || /[?？]\s*$/.test(text) || IS_LISTED.test(text) || DENIES.test(text)) return false;
  return [...text.matchAll(tokenOf(signal))].some(({ index }) => {
    const before = text.slice(Math.max(0, index - NEAR_CHARS), index);
    const after = text.slice(index + signal.length, index + signal.length + NEAR_CHARS);
    const said = before.replace(SEPARATOR, '');
    if (isOfSomethingElse(said) || IS_DENIED.test(after) || IS_OFFERED.test(after) || isInPart(after)) return false;
    if (isTakenBack(`${after} ${next}`)) return false;
    if (NOTHING_BEFORE.test(before)) return begins(signal, after);
    return NOTHING_AFTER.test(after) && saysSo(said);
  });
}

/** A label says what is done, so it needs a text. */
function begins(signal: string, after: string): boolean {
  if (LABELS.test(after) && NOTHING_AFTER.test(after.replace(LABELS, ''))) return false;
  return NOTHING_AFTER.test(after) || DIVIDES.test(after) || !ENDS_IN_A_WORD.test(signal);
}

/** Wrapped lines belong together; a full stop, a list item or an empty line divides. */
function sentencesIn(lines: readonly string[]): Sentence[] {
  const paragraphs: string[] = [];
  let isOpen = false;
  for (const line of lines) {
    if (isOpen && !IS_LISTED.test(line)) paragraphs.push(`${paragraphs.pop() ?? ''}\n${line.trim()}`);
    else if (line.trim() !== '') paragraphs.push(line);
    isOpen = line.trim() !== '' && !IS_FINISHED.test(line);
  }
  return paragraphs.flatMap((paragraph, index) => {
    const before = paragraphs[index - 1] ?? '';
    const lead = /[:：][*_\s]*$/.test(before) ? before : '';
    const parts = paragraph.split(/(?<=[.!?])(?<!^\s*\d+[.])\s+|(?<=[。！？])/);
    return parts.map((part, place) => ({ text: part, lead: place === 0 ? lead : '' }));
  });
}
