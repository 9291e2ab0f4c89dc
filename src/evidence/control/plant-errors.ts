import { errorTexts } from './error-texts.ts';

/**
 * Texts of a file with an error at their end, softest first: what a linter or formatter reports, what a compiler does,
 * and what cannot be read at all. None where its language is not known.
 *
 * @example
 * plantedErrors('a.js', 'f();\n', 'k1'); // ['f();\n\nvar   k1  =k1undefined\n', 'f();\n\nk1 k1 (\n']
 */
export const plantedErrors = (path: string, text: string, label: string): readonly string[] =>
  errorTexts(path).map((error) => `${readOn(path, text)}\n${error.replaceAll('LABEL', label)}\n`);

/** A text whose end is code: after its last mark, PHP has text for the page. */
const readOn = (path: string, text: string): string =>
  path.toLowerCase().endsWith('.php') && text.lastIndexOf('?>') > text.lastIndexOf('<?') ? `${text}<?php` : text;
