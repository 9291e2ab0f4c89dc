import { digestOf, type UserToken } from './keys.ts';

/** The fewest characters of a token: 128 bits as hexadecimal digits. */
const MIN_TOKEN_CHARS = 32;
const MAX_TOKENS = 1_000;
const LINE = /^(\S+)[ \t]+(.+?)(?:[ \t]+<([^<>\s]+@[^<>\s]+)>)?$/;

/**
 * The tokens of a file, one a line: the token, the name of its person and maybe an address, as in `TOKEN Ada
 * <ada@example.org>`. Empty lines and those that begin with `#` are left out. A text: what is wrong, without any token.
 */
export function userTokens(text: string): readonly UserToken[] | string {
  const tokens: UserToken[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    const said = line.trim();
    if (said === '' || said.startsWith('#')) continue;
    const [, token = '', name = '', email] = LINE.exec(said) ?? [];
    if (name === '') return `line ${index + 1}: expected a token, a blank and the name of its person`;
    if (token.length < MIN_TOKEN_CHARS)
      return `line ${index + 1}: expected a token of ${MIN_TOKEN_CHARS} characters or more, found ${token.length}`;
    tokens.push({ name, email: email ?? null, digest: digestOf(token) });
  }
  if (tokens.length === 0) return 'expected at least one token';
  return tokens.length > MAX_TOKENS ? `expected at most ${MAX_TOKENS} tokens` : tokens;
}
