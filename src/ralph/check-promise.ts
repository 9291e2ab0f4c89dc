import { withoutQuotes } from '../strategies/quotes.ts';
import { isInstruction, isMention } from './promise-mention.ts';

/** Stands for the promise while the text around it is read: a private character, which answers do not contain. */
const TAG = '\uE000';
/** A tag with another phrase says nothing. */
const OTHER_TAG = /<promise>[^<>]*<\/promise>/gi;
/** The promise with nothing around it but quotes, code, emphasis, and the mark of a heading or of a list. */
const WHOLE_LINE = /^[\s>*_~`"'“”„‘’«»#+-]*\uE000[\s*_~`"'“”„‘’«».!\uE000]*$/;
const FENCE = /^\s*(`{3,}|~{3,})\w*\s*$/;

/**
 * Whether an answer promises that the task is complete: `<promise>PHRASE</promise>`, in any letter case, with any white
 * space in and around the phrase, once or several times. Without a phrase nothing can be promised.
 *
 * A promise in a code span, a fence or a quote counts only when it is the whole line. A sentence that only talks about
 * the promise makes none: "I will output … when it works", "not yet …". In doubt there is none: that costs an
 * iteration, while an invented one ends the loop.
 *
 * @example
 * checkCompletionPromise('All tests pass.\n<promise>task complete</promise>', 'TASK COMPLETE'); // true
 * checkCompletionPromise('When done, I output `<promise>TASK COMPLETE</promise>`.', 'TASK COMPLETE'); // false
 */
export function checkCompletionPromise(response: string, completionPromise: string | null): boolean {
  const tag = tagOf(completionPromise ?? '');
  if (tag === null) return false;
  const lines = response.replaceAll(TAG, '').replace(/\r\n?/g, '\n');
  const text = lines.replace(tag, TAG).replace(OTHER_TAG, '');
  if (!text.includes(TAG)) return false;
  return isOnItsOwnLine(text) || isInASentence(withoutQuotes(text));
}

/** Words are separated by any white space. Null for a phrase without words. */
function tagOf(phrase: string): RegExp | null {
  const words = phrase.split(/\s+/).filter((word) => word !== '');
  if (words.length === 0) return null;
  const literally = words.map((word) => word.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`));
  return new RegExp(String.raw`<promise>\s*${literally.join(String.raw`\s+`)}\s*</promise>`, 'giu');
}

/** A line that is the promise alone counts anywhere, unless the line before says what would have to be said. */
function isOnItsOwnLine(text: string): boolean {
  const lines = text.split('\n').filter((line) => line.trim() !== '' && !FENCE.test(line));
  return lines.some((line, index) => WHOLE_LINE.test(line) && !isInstruction(lines[index - 1] ?? ''));
}

function isInASentence(text: string): boolean {
  const prose = text.split('\n').filter((line) => !WHOLE_LINE.test(line));
  return prose
    .join('\n')
    .split(/(?<=[.!?])\s+|\n\s*\n/)
    .some((sentence) => {
      const [before = '', ...rest] = sentence.split(TAG);
      return rest.length > 0 && !isMention(before, rest.join(' '));
    });
}
