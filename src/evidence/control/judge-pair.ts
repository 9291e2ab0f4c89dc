import type { TestResult } from '../test-list.ts';
import type { TestPair } from './write-tests.ts';

/**
 * What became of a pair of copies. `silent`: it says nothing, because its twin did not pass, or because the changed one
 * passes where the work is not, too, and so asserts nothing.
 */
export type PairOutcome = 'held' | 'broken' | 'unnoticed' | 'silent';

/** Tells whether a label was reported, and failed wherever it was. */
export function hasFailed(label: string, tests: readonly TestResult[]): boolean {
  const named = withLabel(label, tests);
  return named.length > 0 && named.every(({ result }) => result === 'failed');
}

const withLabel = (label: string, tests: readonly TestResult[]) => tests.filter(({ name }) => name.includes(label));

/** A test within the changed one may pass: it does not have the value. */
const hasFailure = (label: string, tests: readonly TestResult[]): boolean =>
  withLabel(label, tests).some(({ result }) => result === 'failed');

function hasPassed(label: string, tests: readonly TestResult[]): boolean {
  const named = withLabel(label, tests);
  return named.length > 0 && named.every(({ result }) => result === 'passed');
}

/** Tells what a pair came to in one run. `evaded`: the changed one did not fail where its twin passed. */
export function pairWith({ twin, changed }: TestPair, tests: readonly TestResult[]): 'held' | 'evaded' | 'silent' {
  if (!hasPassed(twin, tests)) return 'silent';
  return hasFailure(changed, tests) ? 'held' : 'evaded';
}

/** Tells what a pair came to with the work, by what it came to where the work is not. */
export function pairOutcome(
  pair: TestPair,
  ran: { readonly onWork: readonly TestResult[]; readonly atStart: readonly TestResult[] },
): PairOutcome {
  const onWork = pairWith(pair, ran.onWork);
  if (onWork !== 'evaded') return onWork;
  const atStart = pairWith(pair, ran.atStart);
  if (atStart === 'held') return 'broken';
  const isNoAssertion = atStart === 'evaded' && hasPassed(pair.changed, ran.atStart);
  return isNoAssertion && hasPassed(pair.changed, ran.onWork) ? 'silent' : 'unnoticed';
}
