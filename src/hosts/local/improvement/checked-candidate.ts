import type { EventOf } from '../../../../machines/events.ts';
import type { RecordedProof } from '../../../../machines/recorded-proof.ts';
import { basedOn } from '../../../evidence/base-tests.ts';
import { checkedTests, type ReportedTests } from '../../../evidence/checked-tests.ts';
import { withoutFlickering } from '../../../evidence/flickering.ts';
import { withProof } from '../../../evidence/proof-feedback.ts';
import type { CheckedTree } from '../../../loops/improvement/evaluation/lost-on-head.ts';
import { changedTests } from '../proof/changed-tests.ts';
import type { LegsSubject, PreparedLegs } from '../proof/prepared-legs.ts';
import { type Allowed, withAllowed } from '../proof/ran-both.ts';
import { ranControl } from '../proof/ran-control.ts';
import { passes } from '../proof/ran-tree.ts';
import { changedSurroundings, surroundingsNow } from '../proof/surroundings.ts';
import { type Baseline, workProof } from '../proof/work-proof.ts';
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
 * The checks on a candidate, as `verifiedWork` runs them on the work of a run, but against a head that may be red: with
 * the grounds of the head, then as it is, then with tests that must fail. No person is asked: what the candidate
 * changed of the grounds counts only beside what the head has. Null: told to stop. Throws a `GitError`.
 */
export async function checkedCandidate(
  subject: LegsSubject,
  prepared: PreparedLegs,
  how: CandidateHow,
): Promise<CheckedCandidate | null> {
  const { surroundings } = how.baseline;
  const now = surroundings ? surroundingsNow(subject, prepared) : null;
  const rested = changedSurroundings(surroundings, subject, prepared, now);
  const first = await firstLeg(prepared, how);
  if (first === null) return null;
  const { legs, restored, lenient, head } = first;
  const isSecond = restored.lost.length === 0 && legs.plan.first !== subject.work && subject.asked?.legs !== 'base';
  const whole = isSecond ? await steadyLeg('work', subject.work, legs, { ...how, head }) : undefined;
  if (whole === null) return null;
  const steady = (tests: ReportedTests) => withoutFlickering(tests, how.flickering);
  const all = steady(basedOn(how.baseline.tests));
  const start = lenient ? lenient.without(all) : all;
  const [one, two] = [restored, whole].map((leg) => leg && { ...leg.ran, tests: steady(leg.ran.tests) });
  const tests = one ? checkedTests(start, one, two ?? null) : [];
  const stands = restored.lost.length === 0 && (whole?.lost.length ?? 0) === 0;
  const isControlled = stands && subject.asked?.control !== 'off';
  const control = isControlled ? await ranControl(legs, { ...how, tests, start }) : undefined;
  if (control === null) return null;
  const own = {
    rested: await rested,
    testsInSources: await changedTests(legs, prepared.plan.grounds, basedOn(how.baseline.tests)),
  };
  const legsRan = { first: restored.ran, second: whole?.ran };
  const proof: RecordedProof = {
    ...workProof({ subject, legs, how, ...legsRan, tests, dispute: null, lenient, ...own }),
    ...(control ? { control } : {}),
  };
  const moved = stands && !(await legs.isUntouched());
  const judged = { tests, providedChanged: prepared.providedChanged, uncaptured: [], moved, canAsk: false };
  const levels = withProof((whole ?? restored).ran.levels, { ...judged, proof });
  const verification = { passed: passes(levels), workspace: subject.work, levels, proof };
  return { restored, whole: whole ?? null, legs, proof, verification, refused: refusal(proof, moved, judged) };
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
  { control, touched }: RecordedProof,
  moved: boolean,
  { providedChanged }: { readonly providedChanged: readonly string[] },
): string | null {
  if (control?.broken.length) return `tests that must fail do not fail with it: ${control.broken.join(', ')}`;
  if (touched) return `its checks write to their own tests or configuration: ${touched.join(', ')}`;
  if (providedChanged.length > 0) return `files that checkouts are given have changed: ${providedChanged.join(', ')}`;
  return moved ? 'the checkout has changed while it was checked' : null;
}
