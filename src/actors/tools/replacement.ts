export interface Replacement {
  readonly oldText: string;
  readonly newText: string;
  readonly replaceAll: boolean;
}

export type Replaced = { readonly kind: 'replaced'; readonly text: string } | { readonly kind: 'refused'; readonly reason: string };

/**
 * The text with the old part replaced by the new one, or why not.
 *
 * It refuses to work on its own result, whatever the text: after a crash the file may or may not have been written, and an
 * edit that is started again must not be applied twice (`a` → `ab` → `abb`). Its result R always contains the new text. If
 * the new text contains the old, the second rule below refuses R. If not, the third makes sure that R no longer contains
 * the old text, so the first refuses R. This needs no memory of the file before the edit; it holds as long as nobody else
 * changes the same lines in between.
 */
export function replace(text: string, { oldText, newText, replaceAll }: Replacement): Replaced {
  if (oldText === '') return refused('the old text is empty');
  const count = countOf(oldText, text);
  if (oldText === newText) return refused('the old and the new text are the same');
  if (count === 0) return refused(`the old text does not occur${lineEndHint(text, oldText)}; read the file and copy it exactly`);
  if (newText.includes(oldText) && text.includes(newText)) {
    return refused('the new text is already there; to add it once more, give more of the text around the place');
  }
  if (count > 1 && !replaceAll) {
    return refused(`the old text occurs ${count} times, not once; give more of the text around the place, or set replaceAll`);
  }
  const result = text.replaceAll(oldText, () => newText);
  if (!newText.includes(oldText) && result.includes(oldText)) {
    return refused('the old text would occur again after the edit; give more of the text around the place');
  }
  return { kind: 'replaced', text: result };
}

/** Whether a text is as this replacement leaves one. Where it is, `replace` refuses: the same reasons, read backwards. */
export function isReplaced(text: string, { oldText, newText }: Replacement): boolean {
  return oldText !== newText && text.includes(newText) && (newText.includes(oldText) || !text.includes(oldText));
}

const refused = (reason: string): Replaced => ({ kind: 'refused', reason });

/** Overlapping ones too: `aa` in `aaa` is not one clear place. */
function countOf(part: string, text: string): number {
  let count = 0;
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + 1)) count += 1;
  return count;
}

const lineEndHint = (text: string, oldText: string): string =>
  text.includes('\r\n') && oldText.includes('\n') && !oldText.includes('\r\n') ? ' (the file ends its lines with CR LF)' : '';
