import { JAVASCRIPT } from './control/code-syntax.ts';
import { type CodeToken, tokensIn } from './control/code-tokens.ts';
import { blank } from './literals.ts';

/** Markup within code has apostrophes that begin no text, and comments of its own. */
const MARKUP = /<\s*\/|\/\s*>|<!--|-->/;
const OPENING = /["'`]|\/\*/;
/** Words after which a slash may begin a pattern, or divide. */
const MAY_PRECEDE = new Set(['instanceof', 'extends', 'default', 'as', 'satisfies', 'of', 'await', 'yield']);

/**
 * JavaScript or TypeScript with its texts and patterns blanked. Null: what is text in it, and what comment, is not
 * sure.
 *
 * @example
 * scriptWithoutTexts("say('NOLINT'); // NOLINT"); // "say('      '); // NOLINT"
 */
export function scriptWithoutTexts(code: string): string | null {
  if (MARKUP.test(code)) return null;
  const start = /^#![^\n]*/.exec(code)?.[0].length ?? 0;
  const script = code.slice(start);
  const tokens = tokensIn(script, JAVASCRIPT);
  if (tokens.some((_token, index) => isUnsure(script, tokens, index))) return null;
  const parts = [code.slice(0, start)];
  let at = 0;
  for (const token of tokens.filter(isText)) {
    parts.push(script.slice(at, token.from), blank(token.text));
    at = token.to;
  }
  return [...parts, script.slice(at)].join('');
}

/** A text, a part of a template, or a pattern. */
const isText = ({ kind, text }: CodeToken): boolean =>
  kind === 'pattern' ||
  (kind === 'string' && text.length > 1 && text.at(-1) === text[0]) ||
  text.startsWith('`') ||
  (text.startsWith('}') && text.length > 1);

/**
 * A slash divides or begins a pattern: that may depend on more than the token before it. Sure is only one behind which
 * its line has neither quotes nor a comment.
 */
function isUnsure(script: string, tokens: readonly CodeToken[], index: number): boolean {
  const token = tokens[index];
  if (!token?.text.startsWith('/')) return false;
  if (token.kind === 'pattern' && /.\/[/*]/.test(token.text)) return true;
  const [before, first] = [tokens[index - 1], tokens[index - 2]];
  if (!(token.kind === 'pattern' ? mayDivide(before, first) : mayBegin(before))) return false;
  const end = script.indexOf('\n', token.to);
  return OPENING.test(script.slice(token.from + 1, end < 0 ? undefined : end));
}

const mayBegin = (before: CodeToken | undefined): boolean =>
  before?.text === ')' || before?.text === '}' || MAY_PRECEDE.has(before?.text ?? '');

/** Behind `a++`, `a!`, `a.of`, and words that are names, too. */
function mayDivide(before: CodeToken | undefined, first: CodeToken | undefined): boolean {
  if (before?.kind === 'word') return MAY_PRECEDE.has(before.text) || first?.text === '.' || first?.text === '?.';
  if (before?.text === '!') return first?.kind === 'word' || first?.kind === 'close';
  return (before?.text === '+' || before?.text === '-') && first?.text === before.text;
}
