import { head } from './excerpt.ts';
import { visible } from './visible.ts';

/** The longest run of a sign in a text. */
const longestRun = (text: string, sign: string): number =>
  (text.match(new RegExp(`${sign}+`, 'g')) ?? []).reduce((longest, { length }) => Math.max(longest, length), 0);

/**
 * A text of any origin as code in a line of Markdown: no mark-up in it means anything, and no name in it is mentioned.
 *
 * @example
 * codeSpan('a `b` @ada'); // '`` a `b` @ada ``'
 */
export function codeSpan(text: string, maxChars: number): string {
  const line = head(visible(text).replaceAll(/\s+/g, ' ').trim(), maxChars);
  if (line === '') return '``  ``';
  const fence = '`'.repeat(longestRun(line, '`') + 1);
  return line.includes('`') ? `${fence} ${line} ${fence}` : `${fence}${line}${fence}`;
}

/**
 * A text of any origin as a block of code: its fence is longer than any within it. `language`: what colours it.
 *
 * @example
 * codeBlock('+ a', 'diff'); // '```diff\n+ a\n```'
 */
export function codeBlock(text: string, language = ''): string {
  const shown = visible(text).replaceAll('\r', '').trimEnd();
  const fence = '`'.repeat(Math.max(2, longestRun(shown, '`')) + 1);
  return `${fence}${language}\n${shown}\n${fence}`;
}
