import type { Measure } from '../../../machines/contest-facts.ts';
import type { EventOf } from '../../../machines/events.ts';
import type { Outcome } from '../../../machines/outcome.ts';
import type { RunSettings } from '../../../machines/settings.ts';
import { isEnough } from '../../evidence/enough.ts';
import { type Graded, gradedChecks, type Weakness } from '../../evidence/grade.ts';
import type { TreeChange } from '../../git/tree-change.ts';

type Verification = EventOf<'verification.completed'>['payload'];

/** What is known of the work of an attempt. */
export interface LookedAt {
  readonly outcome: Outcome;
  /** The checks that its ending rests on, or its newest. Null: none have run. */
  readonly verification: Verification | null;
  readonly changes: readonly Pick<TreeChange, 'added' | 'removed'>[];
}

/** Weaknesses that any attempt of the same run has: none can reach a higher grade. */
const OF_ALL: ReadonlySet<Weakness> = new Set([
  'in-workspace',
  'no-walls',
  'one-leg',
  'network',
  'reads-only',
  'nothing-turned',
  'no-control',
  'bare-control',
  'unnoticed-control',
  'no-tests',
]);

/** Measures the work of an attempt by its evidence; its own words count for nothing. */
export function measured(
  { outcome, verification, changes }: LookedAt,
  { checks, accept }: Pick<RunSettings, 'checks' | 'accept'>,
): Measure {
  const isDone = outcome.ending === 'success' && !outcome.partial;
  const passed = isDone && outcome.verified !== null && verification?.passed ? verification : null;
  const graded = passed && gradedChecks(passed);
  const change = { files: changes.length, lines: changes.reduce((sum, one) => sum + linesOf(one), 0) };
  return {
    stands: isDone && (checks.length === 0 || passed !== null),
    grade: graded?.grade ?? null,
    enough: graded !== null && isEnough(graded, passed?.proof, accept),
    surpassable: change.files === 0 || isSurpassable(graded),
    checks: checksIn(verification),
    tests: testsIn(verification),
    change,
  };
}

const isSurpassable = (graded: Graded | null): boolean =>
  graded === null || (graded.grade !== 'witnessed' && graded.because.some((one) => !OF_ALL.has(one)));

/** A binary file has no lines, and is a change all the same. */
const linesOf = ({ added, removed }: LookedAt['changes'][number]): number =>
  added === null || removed === null ? 1 : added + removed;

function checksIn(verification: Verification | null): Measure['checks'] {
  const all = verification?.levels.flatMap(({ checks }) => checks) ?? [];
  const passed = all.filter((check) => check.passed).length;
  return { passed, failed: all.length - passed };
}

function testsIn(verification: Verification | null): Measure['tests'] {
  const all = verification?.proof?.tests ?? [];
  return {
    passed: all.reduce((sum, { turnedCount, kept }) => sum + turnedCount + kept, 0),
    turned: all.reduce((sum, { turnedCount }) => sum + turnedCount, 0),
    lost: all.reduce((sum, { lostCount }) => sum + lostCount, 0),
  };
}
