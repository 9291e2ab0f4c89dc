/** Tokens of JSON and of code in JavaScript, as far as values are told from comments. Open ones end with the text. */
const TOKEN =
  /\/\/[^\n]*|\/\*(?:[^*]|\*(?!\/))*(?:\*\/)?|"(?:[^"\\\n]|\\[^])*"?|'(?:[^'\\\n]|\\[^])*'?|`(?:[^`\\]|\\[^])*`?|[\w$]+|[[\]{}(),:;]/g;

const OPENING = '[{(';
const CLOSING = ']})';

/** The words, strings and marks of a text, comments left out. */
export const tokensOf = (text: string): readonly string[] =>
  (text.match(TOKEN) ?? []).filter((token) => !/^\/[/*]/.test(token));

/** The text of a token that is a string. Null: it is something else, or is computed. */
function quotedIn(token: string): string | null {
  if (!/^["'`]/.test(token) || token.length < 2 || token.includes('${')) return null;
  return token.slice(1, -1).replace(/\\(["'`\\/])/g, '$1');
}

/**
 * The strings in the values of some keys, wherever in JSON or in code the keys stand.
 *
 * @example
 * quotedUnder(new Set(['extends']), tokensOf('{ "extends": ["./a.json"], "b": "c" }')); // ['./a.json']
 */
export function quotedUnder(keys: ReadonlySet<string>, tokens: readonly string[]): readonly string[] {
  const found: string[] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at] ?? '';
    if (tokens[at + 1] !== ':' || !keys.has(quotedIn(token) ?? token)) continue;
    const end = endOfValue(tokens, at + 2);
    for (let within = at + 2; within < end; within += 1) {
      const text = isKeyAt(tokens, within) ? null : quotedIn(tokens[within] ?? '');
      if (text !== null) found.push(text);
    }
    at = end - 1;
  }
  return found;
}

/** The key of an object, which is no value: of a transformation it is the pattern of the sources. */
const isKeyAt = (tokens: readonly string[], at: number): boolean =>
  tokens[at + 1] === ':' && ['{', ','].includes(tokens[at - 1] ?? '');

/** Where the comma or the bracket stands that ends the value which begins there. */
function endOfValue(tokens: readonly string[], from: number): number {
  let depth = 0;
  for (let at = from; at < tokens.length; at += 1) {
    const token = tokens[at] ?? '';
    if (OPENING.includes(token)) depth += 1;
    else if (CLOSING.includes(token)) depth -= 1;
    if (depth < 0 || (depth === 0 && (token === ',' || token === ';'))) return at;
  }
  return tokens.length;
}

/** The files beside it that a piece of code imports, as they are written there. */
export const importedIn = (tokens: readonly string[]): readonly string[] =>
  tokens.flatMap((token, index) => {
    const text = quotedIn(token);
    if (text === null || !/^\.{1,2}\//.test(text)) return [];
    const [before = '', last = ''] = [tokens[index - 2], tokens[index - 1]];
    const isImport = ['from', 'import'].includes(last) || (last === '(' && /^(require|import|URL)$/.test(before));
    return isImport ? [text] : [];
  });
