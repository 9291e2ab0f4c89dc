import { type Option, OPTION_ROWS } from '../options/option-table.ts';

/** The value of a text, or why it has none: the end of the sentence "expected …". */
export type TextForm =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'unreadable'; readonly expected: string };

/**
 * Returns an option's value from the text of a flag or a variable, in the form that its row names. The schema reads
 * everything else.
 *
 * @example
 * fromText('tools', 'read, edit'); // { kind: 'value', value: ['read', 'edit'] }
 */
export function fromText(option: Option, text: string): TextForm {
  const { form = 'text' } = OPTION_ROWS[option];
  if (form === 'json' || (form.endsWith('or json') && /^\s*[[{]/.test(text))) return fromJson(text);
  if (form.startsWith('text')) return { kind: 'value', value: text };
  return { kind: 'value', value: parts(text, form.startsWith('names') ? ',' : '\n') };
}

const parts = (text: string, separator: string) =>
  text
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== '');

function fromJson(text: string): TextForm {
  try {
    return { kind: 'value', value: JSON.parse(text) };
  } catch {
    return { kind: 'unreadable', expected: 'an object, written as JSON' };
  }
}
