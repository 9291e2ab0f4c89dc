import type { EventOf } from '../../../../machines/events.ts';
import type { FlickeringTests, RecordedProof } from '../../../../machines/recorded-proof.ts';
import { basedOn } from '../../../evidence/base-tests.ts';
import { blindChecks, withProof } from '../../../evidence/proof-feedback.ts';
import type { CheckedTree } from '../evaluation/head-losses.ts';
import type { LegsSubject } from '../../../verification/legs-subject.ts';
import type { PreparedLegs } from '../../../verification/prepare-legs.ts';
import { proveTree } from '../../../verification/prove-tree.ts';
import { type Allowed, type RanBoth, withAllowed } from '../../../verification/run-both.ts';
import { passes } from '../../../verification/check-tree.ts';
import { changedSurroundings, surroundingsNow } from '../../../verification/surroundings.ts';
import type { Baseline } from '../../../verification/work-proof.ts';
import { type RelativeHow, type SteadyLeg, steadyLeg } from './steady-leg.ts';

type Verification = EventOf<'verification.completed'>['payload'];

/** What the checks said of a candidate. */
export interface CheckedCandidate {
  /** With the tests and configuration of the head. */
  readonly restored: SteadyLeg;
  /** As it is. Null: that is the same tree, or the first leg was refused. */
  readonly whole: SteadyLeg | null;
  /** With the plan that the first leg went by. */
  readonly legs: PreparedLegs;
  readonly proof: RecordedProof;
  readonly verification: Verification;
  /** Why it is refused beside what the legs lost. Null: nothing else speaks against it. */
  readonly refused: string | null;
}

interface CandidateHow extends RelativeHow {
  readonly baseline: Baseline;
}

/**
 * Checks a candidate by the protocol of proofs (prove-tree.ts), against a head that may be red: a leg that loses
 * something runs again, and only what is lost twice counts. No person is asked: what the candidate changed of the
 * grounds counts only beside what the head has. Null: told to stop. Throws a `GitError`.
 */
export async function checkedCandidate(
  subject: LegsSubject,
  prepared: PreparedLegs,
  how: CandidateHow,
): Promise<CheckedCandidate | null> {
  const { baseline } = how;
  const { surroundings } = baseline;
  const { providedChanged } = prepared;
  const rested = changedSurroundings(
    surroundings,
    subject,
    prepared,
    surroundings ? surroundingsNow(subject, prepared, surroundings) : null,
  );
  const proven = await proveTree(subject, prepared, {
    ...how,
    atStart: baseline.levels.flatMap(({ checks }) => checks),
    ledger: baseline.ledger ?? [],
    unsteadyBefore: 0,
    reported: basedOn(baseline.tests),
    dispute: null,
    runLegs: (legs) => bothLegs(subject, legs, how),
    rested,
    restedAfter: () => rested,
    stands: ({ restored, whole }) => restored.lost.length === 0 && (whole?.lost.length ?? 0) === 0,
    hasMoved: async (legs) => !(await legs.isUntouched()),
  });
  if (proven === null) return null;
  const { restored, whole, legs, proof, moved, tests } = proven;
  const judged = { tests, providedChanged, uncaptured: [], moved, canAsk: false };
  const levels = withProof((whole ?? restored).ran.levels, { ...judged, proof });
  const verification = { passed: passes(levels), workspace: subject.work, levels, proof };
  return { restored, whole, legs, proof, verification, refused: refusal(proof, moved, judged) };
}

interface BothLegs extends RanBoth {
  readonly restored: SteadyLeg;
  readonly whole: SteadyLeg | null;
}

/** The candidate with the grounds of the head, and where nothing is lost, as it is. Null: told to stop. */
async function bothLegs(subject: LegsSubject, prepared: PreparedLegs, how: CandidateHow): Promise<BothLegs | null> {
  const found = await firstLeg(prepared, how);
  if (found === null) return null;
  const { legs, restored, lenient, head } = found;
  const isSecond = restored.lost.length === 0 && legs.plan.first !== subject.work && subject.asked?.legs !== 'base';
  const whole = isSecond ? await steadyLeg('work', subject.work, legs, { ...how, head }) : undefined;
  if (whole === null) return null;
  const { grounds } = prepared.plan;
  return { legs, restored, whole: whole ?? null, first: restored.ran, second: whole?.ran, lenient, grounds };
}

interface FirstLeg {
  readonly legs: PreparedLegs;
  readonly restored: SteadyLeg;
  readonly lenient: Allowed | null;
  /** What nothing may be lost of. */
  readonly head: CheckedTree;
}

/** With changes of grounds that the run was started to let count, where it loses something without them. */
async function firstLeg(prepared: PreparedLegs, how: CandidateHow): Promise<FirstLeg | null> {
  const strict = await steadyLeg('base', prepared.plan.first, prepared, how);
  if (strict === null) return null;
  const lenient = strict.lost.length === 0 ? null : await withAllowed(prepared);
  if (!lenient) return { legs: prepared, restored: strict, lenient: null, head: how.head };
  const { legs, allowed } = lenient;
  const head = { ...how.head, tests: allowed.without(how.head.tests) };
  const restored = await steadyLeg('base', legs.plan.first, legs, { ...how, head });
  return restored && { legs, restored, lenient: allowed, head };
}

function refusal(
  proof: RecordedProof,
  moved: boolean,
  { providedChanged }: { readonly providedChanged: readonly string[] },
): string | null {
  const { control, touched, unsteady } = proof;
  if (control?.broken.length) return `tests that must fail do not fail with it: ${control.broken.join(', ')}`;
  const blind = blindChecks(proof);
  if (blind.length > 0) return `a planted error is not found any more by: ${blind.join(', ')}`;
  if (unsteady) return `tests passed with it, and failed when it was checked again: ${namesOf(unsteady)}`;
  if (touched) return `its checks write to their own tests or configuration: ${touched.join(', ')}`;
  if (providedChanged.length > 0) return `files that checkouts are given have changed: ${providedChanged.join(', ')}`;
  return moved ? 'the checkout has changed while it was checked' : null;
}

const namesOf = (tests: readonly FlickeringTests[]): string =>
  tests.flatMap((one) => one.tests.map(({ name }) => name)).join(', ');
