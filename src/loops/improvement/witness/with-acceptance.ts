import type { EventOf } from '../../../../machines/events.ts';
import type { AcceptanceTest } from '../../../../machines/improvement-facts.ts';

type Baseline = EventOf<'baseline.taken'>['payload'];

/**
 * How the checks go on the head once an acceptance test lies in it: as before, and its check fails by that test.
 * `tree`: the hash of the head with the test.
 */
export function withAcceptance(
  baseline: Baseline,
  { check, red, green }: Pick<AcceptanceTest, 'check' | 'red' | 'green'>,
  tree: string,
): Baseline {
  const added = [
    ...red.map((test) => ({ ...test, result: 'failed' as const })),
    ...green.map((test) => ({ ...test, result: 'passed' as const })),
  ];
  return {
    ...baseline,
    passed: false,
    workspace: tree,
    levels: baseline.levels.map((level) =>
      level.checks.some(({ name }) => name === check)
        ? {
            ...level,
            passed: false,
            checks: level.checks.map((one) => (one.name === check ? { ...one, passed: false } : one)),
          }
        : level,
    ),
    tests: baseline.tests.map((one) => (one.check === check ? { ...one, tests: [...one.tests, ...added] } : one)),
  };
}
