import { isAsserting, isDoing, isInfix, isRoot, mayBeEquality, takesCondition } from './assertion-names.ts';
import type { CallChain } from './call-chain.ts';
import type { Code } from './code-groups.ts';
import { argumentsOf, type Part, partOf } from './call-arguments.ts';

/** A place where a test says which value it expects. */
export interface Expectation {
  /** The call without the names of values, or the mark between the two sides. */
  readonly form: string;
  /** The token of the value. */
  readonly at: number;
  /** Its names say that it asserts. */
  readonly isNamed: boolean;
}

/**
 * The value that a chain of calls expects: a literal beside something that is computed, or in what is called on that.
 * Null: it expects none, or it is no equality.
 */
export function equalityCall(code: Code, chain: CallChain): Expectation | null {
  const infix = chain.names.findIndex((name, index) => index > 0 && isInfix(name));
  const parts = chain.calls.map(({ open }) => argumentsOf(code, open).map((span) => partOf(code, span)));
  if (parts.flat().some(({ is }) => is === 'function')) return null;
  const at = infix < 0 ? besideComputed(chain, parts) : chain.calls.findLastIndex(({ named }) => named > infix);
  const value = parts[at]?.find((part) => part.is === 'value');
  if (value?.is !== 'value') return null;
  const names = infix < 0 ? chain.names : chain.names.slice(infix);
  const isNamed = isAsserting(names);
  // Its literal says why it fails.
  if (at === 0 && infix < 0 && takesCondition(names)) return null;
  if (!mayBeEquality(names) || (!isNamed && isDoing(names))) return null;
  return { form: formOf(chain, Math.max(0, infix), at), at: value.at, isNamed };
}

/** Which call has the value: the first, beside what is computed, or one on the result of the first. -1: none. */
function besideComputed({ calls, names }: CallChain, parts: readonly (readonly Part[])[]): number {
  const has = (index: number, is: Part['is']) => parts[index]?.some((part) => part.is === is) ?? false;
  const last = calls.length - 1;
  if (last > 0) return isRoot(names[(calls[0]?.named ?? 1) - 1] ?? '') && has(0, 'computed') ? last : -1;
  return has(0, 'computed') && has(0, 'value') ? 0 : -1;
}

function formOf({ names, calls }: CallChain, from: number, last: number): string {
  const end = calls[last]?.named ?? names.length;
  const called = new Set(calls.slice(0, last).map(({ named }) => named));
  return names
    .slice(from, end)
    .map((name, index) => (called.has(from + index + 1) ? `${name}()` : name))
    .join('.');
}
