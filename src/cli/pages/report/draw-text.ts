import type { Text } from '../../../kernel/report-page.ts';

/** How a page draws the words of a text, and what is code in it. */
interface Pen {
  readonly words: (text: string) => string;
  readonly code: (text: string) => string;
}

/**
 * Draws a text, part by part.
 *
 * @example
 * drawn(['run ', { code: 'git log' }], { words: (text) => text, code: (text) => `[${text}]` }); // 'run [git log]'
 */
export const drawn = (text: Text, { words, code }: Pen): string =>
  (typeof text === 'string' ? [text] : text)
    .map((part) => (typeof part === 'string' ? words(part) : code(part.code)))
    .join('');
