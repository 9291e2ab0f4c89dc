import { MAX_FILE_BYTES } from './limits.ts';

export interface Replacement {
  readonly oldText: string;
  readonly newText: string;
  readonly replaceAll: boolean;
}

export type Replaced =
  | { readonly kind: 'replaced'; readonly text: string }
  | { readonly kind: 'refused'; readonly reason: string };

/**
 * The text with the old part replaced by the new one, or why not.
 *
 * It refuses to work on its own result, whatever the text: after a crash the file may or may not have been written, and
 * an edit that is started again must not happen twice (`a` → `ab` → `abb`). Its result always contains the new text. If
 * the new text contains the old, rule 2 below refuses that result. If not, rule 3 makes sure that the result no longer
 * contains the old text, so rule 1 refuses it. This needs no memory of the file before the edit; it holds as long as
 * no other process changes the same lines in between.
 */
export function replace(text: string, { oldText, newText, replaceAll }: Replacement): Replaced {
  if (oldText === '') return refused('the old text is empty');
  const count = countOf(oldText, text);
  if (oldText === newText) return refused('the old and the new text are the same');
  // Rule 1.
  if (count === 0) return refused(`the old text does not occur${lineEndHint(text, oldText)}; read the file first`);
  // Rule 2.
  if (newText.includes(oldText) && text.includes(newText)) {
    return refused('the new text is already there; to add it once more, give more of the text around the place');
  }
  if (count > 1 && !replaceAll) {
    return refused(`the old text occurs ${count} times, not once; give more of the text around it, or set replaceAll`);
  }
  // Before it is made: it could be longer than any text may be.
  const length = text.length + placesOf(oldText, text) * (newText.length - oldText.length);
  if (length > MAX_FILE_BYTES) {
    return refused(`${length} characters are more than the ${MAX_FILE_BYTES} bytes a file may have`);
  }
  const result = text.replaceAll(oldText, () => newText);
  // Rule 3.
  if (!newText.includes(oldText) && result.includes(oldText)) {
    return refused('the old text would occur again after the edit; give more of the text around the place');
  }
  return { kind: 'replaced', text: result };
}

/** Whether a text is as this replacement leaves one. Where it is, `replace` refuses it, by rule 1 or 2. */
export function isReplaced(text: string, { oldText, newText }: Replacement): boolean {
  return oldText !== newText && text.includes(newText) && (newText.includes(oldText) || !text.includes(oldText));
}

const refused = (reason: string): Replaced => ({ kind: 'refused', reason });

/** At least two where occurrences overlap: `aa` in `aaa` is not one clear place. */
function countOf(part: string, text: string): number {
  const count = placesOf(part, text);
  return count === 1 && text.indexOf(part, text.indexOf(part) + 1) !== -1 ? 2 : count;
}

/** One behind the other: to look at those that overlap too would take the square of the time. */
function placesOf(part: string, text: string): number {
  let count = 0;
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + part.length)) count += 1;
  return count;
}

function lineEndHint(text: string, oldText: string): string {
  const differs = text.includes('\r\n') && oldText.includes('\n') && !oldText.includes('\r\n');
  return differs ? ' (the file ends its lines with CR LF)' : '';
}
