/** The syntax of a language, as far as tokens and values are told by it. */
export interface CodeSyntax {
  /** One token, with the name of its kind. It matches at any place of a text, and open ones end with the text. */
  readonly token: RegExp;
  /** It has templates in backticks, and patterns between slashes. */
  readonly isScript: boolean;
  /** The end of a line ends a statement, unless a bracket is open. */
  readonly endsWithLine: boolean;
  /** Words for values. Null: the language has no value that fits every type. */
  readonly words: { readonly yes: string; readonly no: string; readonly none: string | null };
  /** Marks of the groups that hold values, beside `[` and `{`. */
  readonly isTuple: boolean;
  /** Names of calls that only wrap a value. */
  readonly wrappers: readonly string[];
  /** Values may have a type before their braces. */
  readonly isTyped: boolean;
}

const SLASHED = String.raw`\/\/[^\n]*|\/\*[^]*?(?:\*\/|$)`;
const DOUBLE = String.raw`"(?:[^"\\\n]|\\[^])*"?`;
const SINGLE = String.raw`'(?:[^'\\\n]|\\[^])*'?`;
const CHARACTER = String.raw`b?'(?:[^'\\\n]|\\[^\n][^'\n]{0,9})'`;
const NUMBER = String.raw`(?:0[xXoObB][\da-fA-F_]+|\d[\d_]*(?:\.\d[\d_]*)?(?:[eE][+-]?\d+)?)\w*`;
const WORD = String.raw`[\w$\u0080-\uffff]+`;
const MARK = String.raw`=>|:=|::|\?\.|[=!]==?|&&|\|\||[^]`;

const tokenOf = (comment: string, string: string, character = '(?!)'): RegExp =>
  new RegExp(
    `(?<blank>\\s+|${comment})|(?<string>${string})|(?<character>${character})` +
      `|(?<number>${NUMBER})|(?<word>${WORD})|(?<mark>${MARK})`,
    'y',
  );

const quoted = (mark: string) => `${mark}(?:[^\\\\]|\\\\[^])*?(?:${mark}|$)`;

export const JAVASCRIPT: CodeSyntax = {
  token: tokenOf(SLASHED, `${DOUBLE}|${SINGLE}`),
  isScript: true,
  endsWithLine: false,
  words: { yes: 'true', no: 'false', none: 'null' },
  isTuple: false,
  wrappers: [],
  isTyped: false,
};

export const PYTHON: CodeSyntax = {
  token: tokenOf('#[^\\n]*|\\\\\\n', `[rbfuRBFU]{0,2}(?:${quoted('"""')}|${quoted("'''")}|${DOUBLE}|${SINGLE})`),
  isScript: false,
  endsWithLine: true,
  words: { yes: 'True', no: 'False', none: 'None' },
  isTuple: true,
  wrappers: [],
  isTyped: false,
};

export const GO: CodeSyntax = {
  token: tokenOf(SLASHED, `${DOUBLE}|\`[^\`]*\`?`, CHARACTER),
  isScript: false,
  endsWithLine: false,
  words: { yes: 'true', no: 'false', none: null },
  isTuple: false,
  wrappers: [],
  isTyped: true,
};

export const RUST: CodeSyntax = {
  token: tokenOf(SLASHED, `b?r(?<fence>#*)"[^]*?(?:"\\k<fence>|$)|b?"(?:[^"\\\\]|\\\\[^])*"?`, CHARACTER),
  isScript: false,
  endsWithLine: false,
  words: { yes: 'true', no: 'false', none: null },
  isTuple: true,
  wrappers: ['Some', 'Ok', 'Err', 'vec'],
  isTyped: true,
};
