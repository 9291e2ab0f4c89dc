/** What is not said but shown: code, quotations, and the lines that quote somebody. A quotation that never ends is none. */
const SHOWN: readonly RegExp[] = [
  /^[ \t]*(`{3,}|~{3,})[^\n]*\n[^]*?(^[ \t]*\1[`~]*[ \t]*$|(?![^]))/gm,
  /(?<!`)(`{1,3})(?!`)[^\n]{0,2000}?[^`]\1(?!`)/g,
  /^[ \t]*>[^\n]*$/gm,
  /^(?: {4}|\t)[^\n]*$/gm,
  /"(?:[^"\n]|\n(?![ \t]*\n)){0,2000}"/g,
  /“[^”]{0,2000}”|„[^“”]{0,2000}[“”]|«[^»]{0,2000}»|「[^」]{0,2000}」/g,
  /(?<![\p{L}\p{N}])['‘](?=\S)(?:(?!\n[ \t]*\n)[^'’]|['’](?=[\p{L}\p{N}])){0,500}['’](?![\p{L}\p{N}])/gu,
];
/** What stands for it: a sign that is no word, and no end of a sentence. */
const GAP = '\u2026';

/** A text without what it only shows or quotes. */
export const withoutQuotes = (text: string): string => SHOWN.reduce((left, shown) => left.replace(shown, GAP), text);
