// The protocol by which work is proven, in order. The start is what the run began with: its checks ran before any work
// (baseline-of-check.ts). Three policies go by it: the work of a run while it runs (verify-in-proof.ts), that of a run
// that has ended (run-legs.ts), and a candidate of an improvement loop, against a head that may be red
// (check-candidate.ts).
// 1. First leg: the checks on the work with the grounds of the start. Second leg: the checks on the work as it is.
// 2. Compare the tests of both with those of the start, by name. A person decides where changed grounds do.
// 3. Where that stands: the tests that turned run again, on the start and on the work (rerun-tests.ts), then controls:
//    tests that must fail, and planted errors (check-controls.ts), then held-out checks (run-held-out.ts).
// 4. The work has to be what was checked, and what it rests on as it was.
// In logs the first leg is called `base`, and the second `work`; `base` as the hash of a tree is the start.
import type { CheckResult } from '../../machines/events.ts';
import type { FlickeringTests, RecordedProof } from '../../machines/recorded-proof.ts';
import { recordedTests } from '../evidence/tests-of-record.ts';
import { ledgered, namedFlickering, withoutFlaky } from '../evidence/test-turns.ts';
import { type ComparedHow, comparedWork } from './compare-work.ts';
import type { LegsSubject } from './legs-subject.ts';
import type { PreparedLegs } from './prepare-legs.ts';
import type { ProofSoFar } from './proof-so-far.ts';
import type { RanBoth } from './run-both.ts';
import { brokenIn, ranControls } from './check-controls.ts';
import { type HeldOutTree, heldOutTrees, type RanHeldOut } from './run-held-out.ts';
import type { CheckedHow } from './check-tree.ts';
import type { Rested } from './surroundings.ts';
import { turnedAgain } from './rerun-tests.ts';
import { type Baseline, workProof } from './work-proof.ts';

/** The policy of one of those who ask for a proof. */
export interface ProofPolicy<Both extends RanBoth = RanBoth, Held = RanHeldOut>
  extends CheckedHow, Omit<ComparedHow, keyof CheckedHow> {
  readonly baseline: Baseline | null;
  /** The results of the checks on the start. */
  readonly atStart: readonly CheckResult[];
  /** Tests that turned by themselves in earlier runs. */
  readonly ledger: readonly FlickeringTests[];
  /** The number of verifications of this run that found an unsteady test. */
  readonly unsteadyBefore: number;
  /** Both legs. Null: told to stop. */
  readonly runLegs: (legs: PreparedLegs) => Promise<Both | null>;
  /** What has changed of what the checks rest on outside of the captures, before them and after them. */
  readonly rested: Promise<Rested>;
  readonly restedAfter: (legs: PreparedLegs) => Promise<Rested>;
  /** Tells whether nothing speaks against the work so far. */
  readonly stands: (soFar: ProofSoFar<Both>) => boolean;
  /** Absent: there are no held-out checks. Null: told to stop. */
  readonly holdOut?: ((trees: readonly HeldOutTree[], legs: PreparedLegs) => Promise<Held | null>) | undefined;
  /** Tells whether the work is another one by now than that which was checked. */
  readonly hasMoved: (legs: PreparedLegs) => Promise<boolean>;
}

export type ProvenTree<Both extends RanBoth = RanBoth, Held = RanHeldOut> = ProofSoFar<Both> & {
  readonly moved: boolean;
  /** Absent: none ran. */
  readonly held: Held | undefined;
};

/** Proves a tree by the protocol above. Null: told to stop. Throws a `GitError`. */
export async function proveTree<Both extends RanBoth, Held = RanHeldOut>(
  subject: LegsSubject,
  prepared: PreparedLegs,
  policy: ProofPolicy<Both, Held>,
): Promise<ProvenTree<Both, Held> | null> {
  const both = await policy.runLegs(prepared);
  if (both === null) return null;
  const { legs } = both;
  const compared = await comparedWork(both, subject, policy);
  const proof = workProof({ subject, policy, ...both, ...compared, rested: await policy.rested });
  const soFar: ProofSoFar<Both> = { ...both, ...compared, proof };
  if (!policy.stands(soFar)) {
    return { ...soFar, proof: { ...proof, ...costOf(prepared) }, moved: false, held: undefined };
  }
  const shown = await shownTests(soFar, subject, policy);
  if (shown === null) return null;
  const { tests, again } = shown;
  const controls = again.unsteady ? {} : await ranControls(soFar, subject, { ...policy, tests });
  if (controls === null) return null;
  const isWorth = !again.unsteady && brokenIn(controls) === 0;
  const trees = heldOutTrees(legs.plan, subject.work, compared.dispute?.is === 'approved');
  const held = isWorth && policy.holdOut ? await policy.holdOut(trees, legs) : undefined;
  if (held === null) return null;
  const moved = await policy.hasMoved(legs);
  // Whatever has changed meanwhile, too.
  const rested = await policy.restedAfter(legs);
  const whole = { ...proof, tests: recordedTests(tests), ...rested, ...again, ...controls, ...costOf(prepared) };
  return { ...soFar, tests, proof: whole, moved, held };
}

function costOf({ cpuMs }: PreparedLegs): Pick<RecordedProof, 'cost'> {
  const spentMs = cpuMs();
  return spentMs === null ? {} : { cost: { cpuMs: spentMs } };
}

/** The tests that the work has turned, and those that turn by themselves. Null: told to stop. */
async function shownTests(
  { tests: all, legs }: ProofSoFar,
  subject: LegsSubject,
  policy: CheckedHow & { readonly ledger: readonly FlickeringTests[]; readonly unsteadyBefore: number },
) {
  const known = ledgered(all, policy.ledger);
  const tests = withoutFlaky(all, known);
  const ran = await turnedAgain(tests, { base: subject.base, work: legs.plan.first }, legs, policy);
  if (ran === null) return null;
  const flaky = namedFlickering([...known, ...ran.flaky]);
  const unsteady = namedFlickering(ran.unsteady);
  return {
    tests: withoutFlaky(tests, ran.flaky),
    again: {
      ...(flaky.length > 0 ? { flaky } : {}),
      ...(unsteady.length > 0 ? { unsteady } : {}),
    },
  };
}
