import { beginsLine, type Code, textAt } from './code-groups.ts';

/** Names and calls that follow each other, such as `expect(a).toBe(3)`. */
export interface CallChain {
  readonly names: readonly string[];
  readonly calls: readonly {
    /** The bracket that opens its arguments. */
    readonly open: number;
    /** The number of names that stand before it. */
    readonly named: number;
  }[];
  /** The first token after it. */
  readonly end: number;
}

const LINKS = ['.', '?.', '::'];
/** Words that begin a statement and are no call. */
const KEYWORDS = new Set(
  'if for while switch catch function return typeof new class const let var import export def with assert del fn func'.split(
    ' ',
  ),
);
const BEFORE_STATEMENTS = [';', '{', '}', '=>', 'await', 'return', 'else', 'do'];
const AFTER_STATEMENTS = [';', '}', ')', ',', '?'];

/** Tells whether a statement may begin there. */
export function beginsStatement(code: Code, at: number): boolean {
  const before = textAt(code, at - 1);
  if (at === 0 || BEFORE_STATEMENTS.includes(before) || (code.syntax.endsWithLine && before === ':')) return true;
  const { kind } = code.tokens[at - 1] ?? {};
  return kind !== 'mark' && kind !== 'open' && beginsLine(code, at) && code.outer[at] === code.outer[at - 1];
}

/** The calls that are the whole of a statement which begins there. Null: it is something else. */
export function statementChain(code: Code, at: number): CallChain | null {
  if (code.tokens[at]?.kind !== 'word' || !beginsStatement(code, at)) return null;
  const chain = chainAt(code, at);
  if (chain.calls.length === 0 || (KEYWORDS.has(chain.names[0] ?? '') && chain.calls[0]?.named === 1)) {
    return chain.names[0] === 'assert' && chain.calls.length > 0 && !code.syntax.endsWithLine ? chain : null;
  }
  const { kind, text = ';' } = code.tokens[chain.end] ?? {};
  const isWhole = AFTER_STATEMENTS.includes(text) || (beginsLine(code, chain.end) && kind !== 'mark');
  return isWhole ? chain : null;
}

/** The names and calls from a name on. */
function chainAt(code: Code, from: number): CallChain {
  const names = [textAt(code, from)];
  const calls: CallChain['calls'][number][] = [];
  let at = from + 1;
  for (let next = linkAt(code, at); next !== null; next = linkAt(code, at)) {
    if (next.name !== undefined) names.push(next.name);
    if (next.open !== undefined) calls.push({ open: next.open, named: names.length });
    at = next.end;
  }
  return { names, calls, end: at };
}

/** The next link of a chain: a name, a call, or the place of an element. */
function linkAt(
  code: Code,
  at: number,
): { readonly name?: string; readonly open?: number; readonly end: number } | null {
  const text = textAt(code, at);
  const next = code.tokens[at + 1];
  if (LINKS.includes(text) && (next?.kind === 'word' || next?.kind === 'number')) {
    return { name: next.text, end: at + 2 };
  }
  // Of a macro, or where TypeScript is told that there is a value.
  if (text === '!' && !beginsLine(code, at) && ['(', '.', '['].includes(next?.text ?? '')) return { end: at + 1 };
  const end = code.partners.get(at);
  if (end === undefined || beginsLine(code, at)) return null;
  if (text === '(') return { open: at, end: end + 1 };
  return text === '[' ? { end: end + 1 } : null;
}
