import { MAX_FILE_BYTES } from './tool.ts';

export interface Replacement {
  readonly oldText: string;
  readonly newText: string;
  readonly replaceAll: boolean;
}

export type Replaced =
  | { readonly kind: 'replaced'; readonly text: string }
  | { readonly kind: 'refused'; readonly reason: string };

/**
 * The text with the old part replaced by the new one, or why not. Texts with newlines mean lines that end in CR LF,
 * too: the new part ends its lines as the old one does in the file, or the line that it is in.
 *
 * It refuses to work on its own result, whatever the text: after a crash the file may or may not have been written, and
 * an edit that is started again must not happen twice (`a` → `ab` → `abb`). Its result always contains the new text, in
 * one of its forms. If that contains the old one, rule 2 below refuses that result. If not, rule 3 makes sure that the
 * result no longer contains the old text in any form, so rule 1 refuses it. This needs no memory of the file before the
 * edit; it holds as long as no other process changes the same lines in between.
 */
export function replace(text: string, replacement: Replacement): Replaced {
  const { oldText, newText, replaceAll } = replacement;
  if (oldText === '') return refused('the old text is empty');
  if (oldText === newText) return refused('the old and the new text are the same');
  const forms = formsOf(replacement);
  const [found, other] = forms.filter((form) => text.includes(form.oldText));
  // Rule 1.
  if (!found) return refused('the old text does not occur; read the file first');
  // Rule 2.
  if (forms.some((form) => form.newText.includes(form.oldText) && text.includes(form.newText))) {
    return refused('the new text is already there; to add it once more, give more of the text around the place');
  }
  if (other && other.oldText !== found.oldText) {
    return refused('the old text occurs with both kinds of line ends; give more of the text around the place');
  }
  const form = other && endsWithReturn(text, oldText) ? other : found;
  const count = countOf(form.oldText, text);
  if (count > 1 && !replaceAll) {
    return refused(`the old text occurs ${count} times, not once; give more of the text around it, or set replaceAll`);
  }
  // Before it is made: it could be longer than any text may be.
  const length = text.length + placesOf(form.oldText, text) * (form.newText.length - form.oldText.length);
  if (length > MAX_FILE_BYTES) {
    return refused(`${length} characters are more than the ${MAX_FILE_BYTES} bytes a file may have`);
  }
  const result = text.replaceAll(form.oldText, () => form.newText);
  // Rule 3.
  if (!form.newText.includes(form.oldText) && forms.some((one) => result.includes(one.oldText))) {
    return refused('the old text would occur again after the edit; give more of the text around the place');
  }
  return { kind: 'replaced', text: result };
}

/** Whether a text is as this replacement leaves one. Where it is, `replace` refuses it, by rule 1 or 2. */
export function isReplaced(text: string, replacement: Replacement): boolean {
  if (replacement.oldText === replacement.newText) return false;
  const forms = formsOf(replacement);
  const isGone = forms.every(({ oldText }) => !text.includes(oldText));
  return forms.some(({ oldText, newText }) => text.includes(newText) && (isGone || newText.includes(oldText)));
}

type Form = Pick<Replacement, 'oldText' | 'newText'>;

/** As it is given, and with lines that end in CR LF. */
function formsOf({ oldText, newText }: Replacement): readonly Form[] {
  const given = `${oldText}${newText}`;
  if (given.includes('\r') || !given.includes('\n')) return [{ oldText, newText }];
  const returned = (lines: string) => lines.replaceAll('\n', '\r\n');
  return [
    { oldText, newText },
    { oldText: returned(oldText), newText: returned(newText) },
  ];
}

/** Whether the first line that this text is in ends in CR LF; the last line of a file is taken as the one before it. */
function endsWithReturn(text: string, part: string): boolean {
  const at = text.indexOf(part);
  const next = text.indexOf('\n', at + part.length);
  const end = next === -1 ? text.lastIndexOf('\n', at) : next;
  return end > 0 && text[end - 1] === '\r';
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
