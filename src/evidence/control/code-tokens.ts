import type { CodeSyntax } from './code-syntax.ts';

/** A part of a text of code. Blanks and comments are left out. */
export interface CodeToken {
  readonly kind: 'word' | 'number' | 'string' | 'character' | 'pattern' | 'open' | 'close' | 'mark';
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

type Found = Pick<CodeToken, 'kind' | 'to'>;

const KINDS = ['string', 'character', 'number', 'word'] as const;
const OPENING = '([{';
const CLOSING = ')]}';
const SUBSTITUTION = '${';
const TEMPLATE = /(?:[^`\\$]|\\[^]|\$(?!\{))*(?:`|\$\{|$|\\$)/y;
const PATTERN = /\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/\w*/y;
/** Words after which a slash begins a pattern. */
const BEFORE_PATTERNS = new Set('return typeof case in of delete void throw new else do await yield'.split(' '));

/**
 * The tokens of a text. What its language does not know is a mark.
 *
 * @example
 * tokensIn('same(a, 3)', JAVASCRIPT).map(({ kind }) => kind); // ['word', 'open', 'word', 'mark', 'number', 'close']
 */
export function tokensIn(text: string, syntax: CodeSyntax): readonly CodeToken[] {
  const tokens: CodeToken[] = [];
  /** The brackets that are open. `${` is one of them. */
  const open: string[] = [];
  for (let from = 0; from < text.length;) {
    const found = syntax.isScript ? scriptAt(text, from, open, tokens.at(-1)) : null;
    const { kind, to } = found ?? plainAt(text, from, syntax.token, open);
    if (kind !== null) tokens.push({ kind, text: text.slice(from, to), from, to });
    from = to;
  }
  return tokens;
}

function plainAt(
  text: string,
  from: number,
  token: RegExp,
  open: string[],
): Found | { readonly kind: null; readonly to: number } {
  token.lastIndex = from;
  const { 0: found = '', groups = {} } = token.exec(text) ?? {};
  const to = from + Math.max(1, found.length);
  if (groups['blank'] !== undefined) return { kind: null, to };
  const kind = KINDS.find((name) => groups[name] !== undefined);
  if (kind === 'string' && /^\w*[fF]\w*["']/.test(found)) return { kind: 'pattern', to };
  if (kind) return { kind, to };
  if (OPENING.includes(found)) {
    open.push(found);
    return { kind: 'open', to };
  }
  if (!CLOSING.includes(found)) return { kind: 'mark', to };
  open.pop();
  return { kind: 'close', to };
}

/** A template, a part of one, or a pattern. Null: something else. */
function scriptAt(text: string, from: number, open: string[], before: CodeToken | undefined): Found | null {
  const first = text[from];
  if (first === '`') return templateFrom(text, from, open, 'string');
  if (first === '}' && open.at(-1) === SUBSTITUTION) {
    open.pop();
    return templateFrom(text, from, open, 'close');
  }
  if (first !== '/' || /[/*]/.test(text[from + 1] ?? '') || isValue(before)) return null;
  PATTERN.lastIndex = from;
  const found = PATTERN.exec(text)?.[0];
  return found === undefined ? null : { kind: 'pattern', to: from + found.length };
}

/** Up to its end, or up to the code within it. */
function templateFrom(text: string, from: number, open: string[], kind: 'string' | 'close'): Found {
  TEMPLATE.lastIndex = from + 1;
  const found = TEMPLATE.exec(text)?.[0] ?? '';
  const to = from + 1 + found.length;
  if (!found.endsWith(SUBSTITUTION)) return { kind, to };
  open.push(SUBSTITUTION);
  return { kind: kind === 'string' ? 'open' : 'mark', to };
}

const isValue = (before: CodeToken | undefined): boolean =>
  before !== undefined && before.kind !== 'mark' && before.kind !== 'open' && !BEFORE_PATTERNS.has(before.text);
