/**
 * Text that is shown rather than said: code, quotations, and quoted lines. A quotation without an end does not count.
 */
const SHOWN: readonly RegExp[] = [
  /^[ \t]*(`{3,}|~{3,})[^\n]*\n[^]*?(^[ \t]*\1[`~]*[ \t]*$|(?![^]))/gm,
  /(?<!`)(`{1,3})(?!`)[^\n]{0,2000}?[^`]\1(?!`)/g,
  /^[ \t]*>[^\n]*$/gm,
  /^(?: {4}|\t)[^\n]*$/gm,
  /"(?:[^"\n]|\n(?![ \t]*\n)){0,2000}"/g,
  /“[^”]{0,2000}”|„[^“”]{0,2000}[“”]|«[^»]{0,2000}»|「[^」]{0,2000}」/g,
  /(?<![\p{L}\p{N}])['‘](?=\S)(?:(?!\n[ \t]*\n)[^'’]|['’](?=[\p{L}\p{N}])){0,500}['’](?![\p{L}\p{N}])/gu,
];
/** Replaces such text: a sign that is neither a word nor the end of a sentence. */
const GAP = '\u2026';

/** A text without its code and quotations. */
export const withoutQuotes = (text: string): string => SHOWN.reduce((left, shown) => left.replace(shown, GAP), text);
