import type { Dispute } from '../../../../machines/recorded-proof.ts';
import type { CheckedTests } from '../../../evidence/checked-tests.ts';
import { disputeOf, failsInTests, type PastDisputes } from '../../../evidence/dispute.ts';
import { groundPatch } from './ground-patch.ts';
import type { LegsSubject, PreparedLegs } from './prepared-legs.ts';
import { SECOND_LEG } from './proof-places.ts';
import { type CheckedHow, passes, type RanTree, ranTree } from './ran-tree.ts';

export interface DisputeHow {
  readonly disputes: PastDisputes;
  /** The run can wait for a person who decides about changed grounds. */
  readonly canAsk: boolean;
}

/** The checks on the work as it is, where they pass with the grounds of its base, or fail in tests alone. */
export async function ranSecond(
  first: RanTree,
  subject: LegsSubject,
  legs: PreparedLegs,
  how: CheckedHow,
): Promise<RanTree | null | undefined> {
  const { plan } = legs;
  const isSecond = passes(first.levels) || failsInTests(first, plan.reading);
  return isSecond && plan.first !== subject.work ? ranTree(SECOND_LEG, subject.work, legs, how) : undefined;
}

/** The dispute about work that fails with the grounds of its base in tests alone, and passes with its own. */
export async function disputeAbout(
  { first, second }: { readonly first: RanTree; readonly second: RanTree | undefined },
  tests: readonly CheckedTests[],
  subject: LegsSubject,
  { plan, call }: PreparedLegs,
  { disputes, canAsk }: DisputeHow,
): Promise<Dispute | null> {
  const isDisputed =
    second &&
    failsInTests(first, plan.reading) &&
    passes(second.levels) &&
    !tests.some(({ reportMissing }) => reportMissing);
  if (!isDisputed) return null;
  return disputeOf({ patch: await groundPatch(plan.first, subject.work, call), tests, past: disputes, canAsk });
}
