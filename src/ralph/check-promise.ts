import { withoutQuotes } from '../strategies/quotes.ts';
import { leadsOn } from '../strategies/text-that-leads.ts';

/** Stands for the promise while the text around it is read: a private character, which answers do not contain. */
const TAG = '\uE000';
/** A tag with another phrase says nothing. */
const OTHER_TAG = /<promise>[^<>]*<\/promise>/gi;
/** With nothing around it but quotes, code, emphasis and the mark of a heading. A list mark makes a plan. */
const WHOLE_LINE = /^[\s>*_`"'“”„‘’«»#]*\uE000[\s*_`"'“”„‘’«».!\uE000]*$/;
/** No word: only what may surround a promise. */
const ORNAMENTS = /^[\s>*_`"'“”„‘’«»#.!\uE000]*$/;
const BLANK_LINE = /^[\s>]*$/;
/** After an empty line: a block of code, in Markdown. */
const INDENTED = /^(?: {4}|\t)/;
const FENCE = /^[\s>]*(`{3,}|~{3,})\w*\s*$/;
/** `---`, which separates like an empty line. */
const RULE = /^\s*([-*_])(\s*\1){2,}\s*$/;
/** May stand behind a promise that follows a sentence on its line. */
const CLOSING = ` \t\n*_.!${TAG}`;
/** A full stop that ends a sentence: not that of an ellipsis, of "e.g." or of a list number. */
const SENTENCE_END = /(?<![.…]|\b[ei]\.[ge]|^[\s>*_]*\d+)[.!。！][)\]"'”’»*_\s\p{Extended_Pictographic}\uFE0F]*$/u;
const LEADS_ON = /[:：][*_\s]*$/;

/**
 * Whether an answer promises that the task is complete: `<promise>PHRASE</promise>`, in any letter case, with any white
 * space in and around the phrase, once or several times. Without a phrase nothing can be promised.
 *
 * A promise counts as the end of the answer: alone on the last line, after an empty line or a finished sentence, or
 * behind a finished sentence on that line. What leads up to it (`TODO:`, `I will output`) or follows it makes it a part
 * of another sentence. In code or a quote it has to be the whole line. The meaning of the sentences before is not read.
 *
 * @example
 * checkCompletionPromise('All tests pass.\n<promise>task complete</promise>', 'TASK COMPLETE'); // true
 * checkCompletionPromise('When done, I output `<promise>TASK COMPLETE</promise>`.', 'TASK COMPLETE'); // false
 */
export function checkCompletionPromise(response: string, completionPromise: string | null): boolean {
  const text = tagged(response, completionPromise);
  return text !== null && text.includes(TAG) && (isLastLine(text) || isBehindSentence(text));
}

/**
 * Why an answer with a tag promises nothing, as a clause about the tag. Null where it promises, or has no tag.
 *
 * @example
 * whyNotPromised('<promise>DONE</promise> I think.', 'DONE'); // 'other text follows it'
 * whyNotPromised('All is done.', 'DONE'); // null
 */
export function whyNotPromised(response: string, completionPromise: string | null): string | null {
  const text = tagged(response, completionPromise);
  if (text === null || checkCompletionPromise(response, completionPromise)) return null;
  const last = text.lastIndexOf(TAG);
  if (last < 0) return response.search(OTHER_TAG) < 0 ? null : 'the phrase in it is another one';
  if (!ORNAMENTS.test(text.slice(last + 1))) return 'other text follows it';
  const [line = '', ...before] = text.slice(0, last).split('\n').toReversed();
  if (!ORNAMENTS.test(line)) return 'it is not alone on its line';
  const lead = before.find((one) => !BLANK_LINE.test(one) && !ORNAMENTS.test(one)) ?? '';
  if (LEADS_ON.test(lead)) return 'the text before it ends with a colon';
  if (INDENTED.test(line)) return 'it is indented as code';
  if (BLANK_LINE.test(before[0] ?? '') && leadsOn(lastParagraph(textBefore(before))))
    return 'the text before it leads to it';
  return before.some((one) => FENCE.test(one)) ? 'it is a part of a block of code' : 'no empty line is before it';
}

/** The lines before a promise, in their order, without the empty and decorated ones between. */
const textBefore = (nearestFirst: readonly string[]): string[] =>
  nearestFirst.slice(nearestFirst.findIndex((line) => !BLANK_LINE.test(line) && !ORNAMENTS.test(line))).toReversed();

/** An answer with the tag in place of the promise, without other promises. Null: nothing can be promised. */
function tagged(response: string, phrase: string | null): string | null {
  const tag = tagOf(phrase ?? '');
  if (tag === null) return null;
  const lines = response.replaceAll(TAG, '').replace(/\r\n?/g, '\n');
  return lines.replace(tag, TAG).replace(OTHER_TAG, '');
}

/** Words are separated by any white space. Null for a phrase without words. */
function tagOf(phrase: string): RegExp | null {
  const words = phrase.split(/\s+/).filter((word) => word !== '');
  if (words.length === 0) return null;
  const literally = words.map((word) => word.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`));
  return new RegExp(String.raw`<promise>\s*${literally.join(String.raw`\s+`)}\s*</promise>`, 'giu');
}

/** Whether the last line, in a fence or not, is the promise alone, and no text leads up to it. */
function isLastLine(text: string): boolean {
  const lines = text.split('\n').map((line) => (RULE.test(line) ? '' : line));
  const dropEnd = (...kinds: readonly RegExp[]): string[] =>
    lines.splice(lines.findLastIndex((line) => !kinds.some((kind) => kind.test(line))) + 1);
  dropEnd(BLANK_LINE);
  const isFenced = dropEnd(FENCE).length > 0;
  const promised = dropEnd(BLANK_LINE, WHOLE_LINE);
  if (!promised.some((line) => WHOLE_LINE.test(line))) return false;
  const opened = lines.filter((line) => FENCE.test(line)).length % 2 === 1;
  // A fence with other code shows the promise as a part of that code.
  if (opened && !FENCE.test(lines.at(-1) ?? '')) return !isFenced && isLedByNothing(lines, promised);
  if (!opened) return isLedByNothing(lines, promised);
  lines.pop();
  const gap = dropEnd(BLANK_LINE);
  return isLedByNothing(lines, gap);
}

/** `after`: the lines between the lead and the promise, and the promise. */
function isLedByNothing(before: readonly string[], after: readonly string[]): boolean {
  const lead = before.at(-1);
  if (lead === undefined || FENCE.test(lead)) return true;
  if (!BLANK_LINE.test(after[0] ?? TAG)) return SENTENCE_END.test(lead);
  return !leadsOn(lastParagraph(before)) && !after.some((line) => INDENTED.test(line) && line.includes(TAG));
}

/** The lines up to the next empty one, from the end. */
function lastParagraph(lines: readonly string[]): string {
  const blank = lines.findLastIndex((line) => BLANK_LINE.test(line) || FENCE.test(line));
  return lines.slice(blank + 1).join('\n');
}

/** Whether the text ends with the promise outside of quotations, and a sentence ends before it on its line. */
function isBehindSentence(text: string): boolean {
  // Quotations leave a gap: where the text does not end so, it does not without them.
  if (closingTag(text) < 0) return false;
  const said = withoutQuotes(text);
  const tag = closingTag(said);
  return tag >= 0 && SENTENCE_END.test(said.slice(said.lastIndexOf('\n', tag) + 1, tag));
}

/** Where the promise is that the text ends with. Negative: nowhere. */
function closingTag(text: string): number {
  let end = text.length;
  while (end > 0 && CLOSING.includes(text.charAt(end - 1))) end -= 1;
  return text.indexOf(TAG, end);
}
