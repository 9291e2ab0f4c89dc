import { createHash } from 'node:crypto';
import type { EventOf } from '../../machines/events.ts';
import { type Approver, type Dispute, MAX_NAMED } from '../../machines/recorded-proof.ts';
import { type CheckedTests, checkedTests, lacksReport, type ReportedTests, type TestedLeg } from './tests-of-checks.ts';
import { keyOf } from './test-list.ts';

/** What became of the disputes of a run so far. */
export interface PastDisputes {
  /** Verifications that were disputed. */
  readonly count: number;
  /** The newest ruling of a person. */
  readonly ruling: {
    readonly digest: string;
    readonly approved: boolean;
    readonly reason: string | null;
    /** Absent: no person is known to have ruled. */
    readonly by?: Approver | undefined;
  } | null;
}

export const NO_DISPUTES: PastDisputes = { count: 0, ruling: null };

/** The same, with one more verification, or with the ruling of a person. */
export function disputesWith(
  past: PastDisputes,
  fact: Pick<EventOf<'verification.completed'>, 'type' | 'payload'> | Ruling,
): PastDisputes {
  if (fact.type === 'verification.completed') {
    return fact.payload.proof?.dispute ? { ...past, count: past.count + 1 } : past;
  }
  return { ...past, ruling: { ...fact.payload, approved: fact.type === 'grounds.approved' } };
}

interface Ruling {
  readonly type: 'grounds.approved' | 'grounds.denied';
  readonly payload: { readonly digest: string; readonly reason: string | null; readonly by?: Approver | undefined };
}

/**
 * Whether the work as it is says something against a failure of the first leg: its tests run, to the end, in each check
 * that had any. Tests that failed, coverage below its threshold, a compiler or a linter: each may rest on what changed.
 */
export const isAnswered = (start: ReportedTests, tests: readonly CheckedTests[], second: TestedLeg): boolean =>
  second.checks.every(({ passed }) => passed) &&
  !tests.some(lacksReport) &&
  !checkedTests(start, second, null).some(({ zero, reportMissing }) => zero || reportMissing);

interface Disputed {
  /** SHA-256 of what the work changed of its grounds, and that as a text. */
  readonly patch: { readonly text: string; readonly digest: string };
  /** With the grounds of the base. */
  readonly tests: readonly CheckedTests[];
  readonly past: PastDisputes;
  /** The run can wait for a person. */
  readonly canAsk: boolean;
}

/**
 * The dispute about work that fails with the grounds of its base, and passes with its own. A ruling counts for exactly
 * the changes and the tests that it was about; the first time, the model is told alone.
 */
export function disputeOf({ patch, tests, past, canAsk }: Disputed): Dispute {
  const failing = tests.flatMap((checked) =>
    [...checked.lost, ...checked.stillRed].map(({ test }) => ({ checked, test })),
  );
  const keys = failing.map(({ checked, test }) => JSON.stringify([checked.check, keyOf(test)]));
  const digest = createHash('sha256')
    .update(JSON.stringify([patch.digest, keys.toSorted()]))
    .digest('hex');
  const { ruling } = past;
  const fitting = ruling?.digest === digest ? ruling : null;
  return {
    is: stateOf(digest, past, canAsk),
    digest,
    diff: patch.text,
    testsCount: failing.length,
    tests: failing.slice(0, MAX_NAMED).map(({ test: { file, name, occurrence } }) => ({ file, name, occurrence })),
    ...(fitting && fitting.reason !== null ? { reason: fitting.reason } : {}),
    ...(fitting?.approved && fitting.by ? { approver: fitting.by } : {}),
  };
}

function stateOf(digest: string, { count, ruling }: PastDisputes, canAsk: boolean): Dispute['is'] {
  if (ruling?.digest === digest) return ruling.approved ? 'approved' : 'denied';
  return count > 0 && canAsk ? 'asked' : 'told';
}
