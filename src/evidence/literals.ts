/** A language whose texts are told from its comments. */
export interface LiteralSyntax {
  /** Comments, words and the like as they are; texts as the group `text`. */
  readonly parts: RegExp;
  /** Tells whether the parts may be others than those that are found. */
  readonly isUnsure: (code: string, texts: readonly string[]) => boolean;
}

const SLASHED = String.raw`\/\/[^\n]*|\/\*[^]*?(?:\*\/|$)`;
const DOUBLE = String.raw`"(?:[^"\\\n]|\\[^])*"`;
const SINGLE = String.raw`'(?:[^'\\\n]|\\[^])*'`;
const RUNE = String.raw`'(?:[^'\\\n]|[\ud800-\udbff][\udc00-\udfff]|\\[^\n][^'\n]{0,9})'`;
const ENCODED = '(?:u8|[uUL])?';

const partsOf = (skipped: string, ...texts: readonly string[]): RegExp =>
  new RegExp(`(?<text>${texts.join('|')})|${skipped}`, 'g');

/** A comment in which another one begins: some languages nest them. */
const NESTED = /\/\*(?:[^*]|\*(?!\/))*?\/\*/;
/** Java reads these as quotes, slashes or line ends before all else. */
const ESCAPED_MARK = /\\u+00(?:2[27aAfF]|5[cC]|0[aAdD])/;

const never = () => false;

/** Code within a text of Python: its own texts have no quotes that could end the text around. */
const FIELD = String.raw`\{[^{}'"#:\\]*(?:(?:'[^'{}\\]+'|"[^"{}\\]+")[^{}'"#:\\]*)*(?::(?:[^{}'"\\]|\{\w*\})*)?\}`;
const CLOSED_FORMAT = new RegExp(String.raw`^[^{}]*(?:(?:\{\{|\}\}|${FIELD})[^{}]*)*$`);
const isOpenFormat = (text: string): boolean => /^\w*[fFtT]/.test(text) && !CLOSED_FORMAT.test(text);

/** C and old C++ know no raw texts: there, this may be code between two texts. */
const MAY_BE_CODE = /R"[^]*(?:[\n;]|_Pragma)/;
/** Behind these, a line of C# is no code, as in a branch that is not taken. Raw texts end in more than one way. */
const NO_CODE = /"""|^[^\S\r\n\u2028\u2029]*#[^\S\r\n\u2028\u2029]*(?:if|elif|else|region|endregion|error|warning)\b/m;

const LANGUAGES: ReadonlyMap<string, LiteralSyntax> = new Map<string, LiteralSyntax>([
  [
    'py pyi',
    {
      parts: partsOf(
        '#[^\\n]*',
        ...['"""(?:[^\\\\]|\\\\[^])*?"""', "'''(?:[^\\\\]|\\\\[^])*?'''", DOUBLE, SINGLE].map(
          (text) => `[rbuftRBUFT]{0,2}${text}`,
        ),
      ),
      isUnsure: (_code, texts) => texts.some(isOpenFormat),
    },
  ],
  ['go', { parts: partsOf(SLASHED, DOUBLE, '`[^`]*`', RUNE), isUnsure: never }],
  [
    'rs',
    {
      parts: partsOf(
        `${SLASHED}|'[A-Za-z_]\\w*`,
        '(?<![\\w\\u0080-\\uffff])[bc]?r(?<fence>#*)"[^]*?"\\k<fence>',
        '"(?:[^"\\\\]|\\\\[^])*"',
        RUNE,
      ),
      isUnsure: (code) => NESTED.test(code),
    },
  ],
  [
    'c h cc hh cpp hpp cxx hxx',
    {
      // A line of a comment may go on in the next one. A number has apostrophes between its digits.
      parts: partsOf(
        String.raw`\/\/(?:[^\n\\]|\\[^])*|\/\*[^]*?(?:\*\/|$)|\d(?:[\w.]|'\w)*|_Pragma\s*\(\s*L?"[^"\n]*|\w+`,
        `${ENCODED}R"(?<fence>[^\\s()\\\\]{0,16})\\([^]*?\\)\\k<fence>"`,
        `${ENCODED}${DOUBLE}`,
        `${ENCODED}${SINGLE}`,
      ),
      isUnsure: (code, texts) => code.includes('??') || texts.some((text) => MAY_BE_CODE.test(text)),
    },
  ],
  [
    'java',
    {
      parts: partsOf(SLASHED, '"""(?:[^\\\\]|\\\\[^])*?"""', DOUBLE, SINGLE),
      isUnsure: (code) => ESCAPED_MARK.test(code),
    },
  ],
  [
    'kt kts',
    {
      parts: partsOf(`${SLASHED}|\`[^\`\\n]+\``, '"""[^]*?"""+', DOUBLE, SINGLE),
      isUnsure: (code, texts) => NESTED.test(code) || texts.some((text) => text.includes('${')),
    },
  ],
  [
    'cs',
    {
      parts: partsOf(SLASHED, '\\$?@\\$?"(?:[^"]|"")*"', `\\$?${DOUBLE}`, SINGLE),
      isUnsure: (code, texts) => NO_CODE.test(code) || texts.some((text) => /^@?\$.*\{/s.test(text)),
    },
  ],
]);

const BY_EXTENSION = new Map(
  [...LANGUAGES].flatMap(([names, syntax]) => names.split(' ').map((name) => [name, syntax])),
);

/** The syntax of the files with an extension. Undefined: it is not known here. */
export const literalSyntax = (extension: string): LiteralSyntax | undefined => BY_EXTENSION.get(extension);

/** All but the marks at both ends of a text as blanks. Lines stay where they are. */
export const blank = (text: string): string =>
  text.length < 2 ? text : `${text[0] ?? ''}${text.slice(1, -1).replace(/[^\n]/g, ' ')}${text.at(-1) ?? ''}`;

/** Code with its texts blanked. Null: what is text in it, and what comment, is not sure. */
export function withoutTexts(code: string, { parts, isUnsure }: LiteralSyntax): string | null {
  const texts: string[] = [];
  // A quotation mark that is no part of anything: what begins where is not what it seems.
  if (/["'`]/.test(code.replace(parts, ''))) return null;
  const rest = code.replace(parts, (found: string, ...more: readonly unknown[]) => {
    const { text } = Object(more.at(-1));
    if (text === undefined) return found;
    texts.push(found);
    return blank(found);
  });
  return isUnsure(code, texts) ? null : rest;
}
