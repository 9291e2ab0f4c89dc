import type { CodeSyntax } from './code-syntax.ts';
import { type CodeToken, tokensIn } from './code-tokens.ts';

/** A text of code, with what its brackets hold. Tokens are named by their place among all. */
export interface Code {
  readonly text: string;
  readonly syntax: CodeSyntax;
  readonly tokens: readonly CodeToken[];
  /** Where the bracket that opens or closes there has its other end. */
  readonly partners: ReadonlyMap<number, number>;
  /** The innermost bracket around each token. -1: none is. */
  readonly outer: readonly number[];
  /** Which tokens are the first of their lines. */
  readonly first: readonly boolean[];
}

/** Tokens from one on, up to another that is not among them. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

const CLOSED_BY: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };

/** Reads a text. Brackets that do not fit have no other end. */
export function codeOf(text: string, syntax: CodeSyntax): Code {
  const tokens = tokensIn(text, syntax);
  const partners = new Map<number, number>();
  const open: number[] = [];
  const outer = tokens.map(({ kind, text: said }, at) => {
    const last = open.at(-1) ?? -1;
    if (kind === 'open') open.push(at);
    if (kind !== 'close' || last < 0 || !fits(tokens[last]?.text ?? '', said)) return last;
    open.pop();
    partners.set(last, at).set(at, last);
    return open.at(-1) ?? -1;
  });
  const first = tokens.map(({ from }, at) => at === 0 || text.slice(tokens[at - 1]?.to ?? 0, from).includes('\n'));
  return { text, syntax, tokens, partners, outer, first };
}

const fits = (opening: string, closing: string): boolean => (CLOSED_BY[opening] ?? '`') === closing.at(-1);

/** The text of a token. Empty: there is none. */
export const textAt = ({ tokens }: Code, at: number): string => tokens[at]?.text ?? '';

/** Tells whether a token is the first of its line. */
export const beginsLine = ({ first }: Code, at: number): boolean => first[at] ?? true;

/** The places within a span that no bracket in it is around. A bracket itself is one of them. */
export function topOf({ partners, tokens }: Code, { from, to }: Span): readonly number[] {
  const found: number[] = [];
  for (let at = from; at < to; at += 1) {
    found.push(at);
    if (tokens[at]?.kind === 'open') at = Math.max(at, Math.min(partners.get(at) ?? at, to) - 1);
  }
  return found;
}

/** The parts of a span that marks divide. Empty ones are left out. */
export function dividedBy(code: Code, span: Span, marks: readonly string[]): readonly Span[] {
  const ends = [...topOf(code, span).filter((at) => marks.includes(textAt(code, at))), span.to];
  return ends
    .map((to, index) => ({ from: index === 0 ? span.from : (ends[index - 1] ?? 0) + 1, to }))
    .filter(({ from, to }) => from < to);
}

/** The tokens that a bracket holds. Null: it has no other end. */
export function heldBy({ partners }: Code, open: number): Span | null {
  const to = partners.get(open);
  return to === undefined || to < open ? null : { from: open + 1, to };
}
