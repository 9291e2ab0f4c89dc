import { isLiteral } from './another-value.ts';
import { type Code, dividedBy, heldBy, type Span, textAt, topOf } from './code-groups.ts';

/** Values within values: an expected one is seldom deeper, and a text may be made of brackets. */
const MAX_NESTING = 8;
const FUNCTIONS = ['=>', 'function', 'lambda', 'func', '|', '||'];
const TYPE = /^[\w$.*&[\]]+$/;

/** The kind of an argument, or of a side of a comparison. */
export type Part =
  | { readonly is: 'value'; readonly at: number }
  /** A literal that cannot be changed, such as an empty list. */
  | { readonly is: 'empty' }
  | { readonly is: 'function' }
  | { readonly is: 'computed' };

/** The arguments of a call whose bracket opens there. */
export const argumentsOf = (code: Code, open: number): readonly Span[] => {
  const span = heldBy(code, open);
  return span === null ? [] : dividedBy(code, span, [',']);
};

/** Tells a value that stands there from one that is computed. */
export function partOf(code: Code, span: Span): Part {
  const value = literalIn(code, span, 0);
  if (value !== null) return { is: 'value', at: value };
  const top = topOf(code, span).map((at) => textAt(code, at));
  if (code.tokens[span.from]?.kind !== 'string' && top.some((text) => FUNCTIONS.includes(text))) {
    return { is: 'function' };
  }
  const isComputed = code.tokens.slice(span.from, span.to).some((token) => isName(code, token));
  return { is: isComputed ? 'computed' : 'empty' };
}

const isName = ({ syntax }: Code, token: Code['tokens'][number]): boolean =>
  token.kind === 'word' && !isLiteral(token, syntax);

/** The literal that a span is, or the first one of the list or object that it is. Null: it is something else. */
function literalIn(code: Code, { from, to }: Span, depth: number): number | null {
  const { tokens, syntax, partners } = code;
  const [first, second] = [tokens[from], tokens[from + 1]];
  if (!first || from >= to || depth > MAX_NESTING) return null;
  if (to - from === 1) return isLiteral(first, syntax) ? from : null;
  if (to - from === 2 && first.text === '-' && second?.kind === 'number') return from + 1;
  const open = partners.get(to - 1) ?? -1;
  if (open < from || !isHolder(code, { from, to: open }, textAt(code, open))) return null;
  for (const entry of dividedBy(code, { from: open + 1, to: to - 1 }, [','])) {
    const found = literalIn(code, dividedBy(code, entry, [':']).at(-1) ?? entry, depth + 1);
    if (found !== null) return found;
  }
  return null;
}

/** Tells whether a bracket, with what stands before it, holds values. */
function isHolder(code: Code, before: Span, bracket: string): boolean {
  const { isTuple, wrappers, isTyped } = code.syntax;
  const names = code.tokens.slice(before.from, before.to).map(({ text }) => text);
  if (names.length === 0) return bracket === '[' || bracket === '{' || (bracket === '(' && isTuple);
  if (wrappers.includes(names[0] ?? '')) return names.slice(1).every((text) => text === '!');
  return isTyped && bracket === '{' && names.every((text) => TYPE.test(text));
}
