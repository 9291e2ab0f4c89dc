import { mayBeEquality } from './assertion-names.ts';
import { statementChain } from './call-chain.ts';
import { type Code, type Span, textAt } from './code-groups.ts';
import { comparisonAt } from './comparisons.ts';
import { equalityCall, type Expectation } from './equality-calls.ts';

/** After them, an assertion that fails may be what a test wants. */
const CATCHING = new Set(['try', 'raises', 'assertRaises', 'assertRaisesRegex', 'should_panic', 'catch_unwind']);

/** The values that a test expects, in the order of its text: where another one stands there, it must fail. */
export function expectationsIn(code: Code, body: Span): readonly Expectation[] {
  const found: Expectation[] = [];
  for (let at = body.from; at < body.to; at += 1) {
    const { kind, text } = code.tokens[at] ?? {};
    if (kind !== 'word') continue;
    if (CATCHING.has(text ?? '')) break;
    const chain = statementChain(code, at);
    const one = (chain && equalityCall(code, chain)) ?? comparisonAt(code, at);
    if (one && !isCaught(code, at, body)) found.push(one);
  }
  return found;
}

/** Tells whether a call around it takes a failure for what it wants, such as `throws`. */
function isCaught(code: Code, at: number, { from }: Span): boolean {
  for (let open = code.outer[at] ?? -1; open >= from; open = code.outer[open] ?? -1) {
    if (textAt(code, open) === '(' && !mayBeEquality([textAt(code, open - 1)])) return true;
  }
  return false;
}
