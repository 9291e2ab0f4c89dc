import type { LevelResult } from '../../machines/events.ts';
import { MAX_NAMED, type RecordedProof } from '../../machines/recorded-proof.ts';
import { type CheckedTests, lostOf, type TestedLeg } from './tests-of-checks.ts';
import type { TestResult } from './test-list.ts';

/** What became of tests, as it is recorded: the first of each kind by name, the others counted. */
export const recordedTests = (tests: readonly CheckedTests[]): RecordedProof['tests'] =>
  tests.map(({ check, turned, kept, fresh, reportMissing, ...more }) => {
    const lost = lostOf(more);
    return {
      check,
      turnedCount: turned.length,
      turned: turned.slice(0, MAX_NAMED).map(named),
      kept,
      fresh: fresh.length,
      lostCount: lost.length,
      lost: lost.slice(0, MAX_NAMED).map(({ test, how }) => ({ ...named(test), how })),
      reportMissing,
    };
  });

const named = ({ file, name, occurrence }: TestResult) => ({ file, name, occurrence });

/**
 * The checks of a leg that run what they check, and of which no test is known by name. A step does not count where
 * another step of its check names tests. `stepOf`: the check of each step.
 */
export function unreportedChecks(
  { checks, tests }: TestedLeg,
  reading: ReadonlySet<string>,
  stepOf: ReadonlyMap<string, string>,
): string[] {
  const isNamed = (name: string) => (tests.get(name)?.tests.length ?? 0) > 0;
  const reported = new Set(checks.flatMap(({ name }) => (isNamed(name) ? [name, stepOf.get(name)] : [])));
  return checks
    .filter(({ name }) => !reported.has(name) && !reported.has(stepOf.get(name) ?? name) && !reading.has(name))
    .map(({ name }) => name);
}

/** The checks that only read what they check, failed on the base, and pass in this leg. */
export const turnedReading = (
  base: readonly LevelResult[],
  { checks }: TestedLeg,
  reading: ReadonlySet<string>,
): string[] => {
  const failed = new Set(base.flatMap((level) => level.checks.flatMap(({ name, passed }) => (passed ? [] : [name]))));
  return checks.flatMap(({ name, passed }) => (passed && reading.has(name) && failed.has(name) ? [name] : []));
};
