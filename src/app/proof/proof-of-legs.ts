import { doubtsOf, type ProofFacts } from '../../evidence/proof-verdict.ts';
import { brokenIn } from '../../verification/check-controls.ts';
import { passes, type RanTree } from '../../verification/check-tree.ts';
import type { LegsSubject } from '../../verification/legs-subject.ts';
import type { PreparedLegs } from '../../verification/prepare-legs.ts';
import { FIRST_LEG, type LegName, SECOND_LEG } from '../../verification/proof-places.ts';
import type { ProofSoFar } from '../../verification/proof-so-far.ts';
import type { ProvenTree } from '../../verification/prove-tree.ts';
import type { RanBoth } from '../../verification/run-both.ts';
import type { Side } from '../changes/run-sides.ts';
import type { RecordedDemands } from './demands-of-record.ts';
import type { Proof, ProofDependencies, ProvenHeldOut, ProvenLeg } from './run-proof.ts';

/** A run that is to be proven, and what it has recorded of its proof. */
export interface PlannedLegs {
  readonly subject: LegsSubject;
  readonly start: Side;
  readonly end: Side;
  readonly dependencies: ProofDependencies;
  readonly trustsDependencies: boolean;
  readonly demands: RecordedDemands;
}

interface Ran extends Pick<PreparedLegs, 'providedChanged' | 'obstacle'> {
  readonly run: string;
  readonly atStart: RanTree;
}

/** The facts that doubts come from, for what the legs have come to so far. */
export const factsFor =
  ({ dependencies, trustsDependencies }: PlannedLegs, { atStart, providedChanged }: Omit<Ran, 'obstacle' | 'run'>) =>
  ({ first, second, tests, dispute }: ProofSoFar): ProofFacts => ({
    legs: second
      ? [{ passed: passes(first.levels) }, { passed: passes(second.levels) }]
      : [{ passed: passes(first.levels) }],
    tests,
    approved: dispute?.is === 'approved',
    changedDependencies: trustsDependencies ? 0 : (dependencies.changed?.length ?? 0),
    pointersHome: pointersOf(first, second).length,
    providedChanged: providedChanged.length,
    touched: first.touched.filter((path) => !atStart.touched.includes(path)).length,
  });

/** The proof that all legs have come to, with every doubt. */
export function proofOfLegs(planned: PlannedLegs, proven: ProvenTree<RanBoth, ProvenHeldOut>, ran: Ran): Proof {
  const { start, end, dependencies, trustsDependencies, demands } = planned;
  const { run, atStart, obstacle, providedChanged } = ran;
  const { first, second, tests, held, lenient, proof } = proven;
  const { plan } = proven.legs;
  const doubts = doubtsOf({
    ...factsFor(planned, ran)(proven),
    unsteady: proof.unsteady?.length ?? 0,
    brokenControls: brokenIn(proof),
    ...(held ? { heldOut: verdictOn(held) } : {}),
  });
  return {
    kind: 'proof',
    run,
    proven: doubts.length === 0,
    doubts,
    base: start,
    work: end,
    start: legOf('start', start.tree, atStart),
    tests,
    flickering: demands.flickering,
    legs: [legOf(FIRST_LEG, plan.first, first), ...(second ? [legOf(SECOND_LEG, end.tree, second)] : [])],
    ...(proof.control ? { control: proof.control } : {}),
    ...(proof.controls ? { controls: proof.controls } : {}),
    ...(proof.flaky ? { flaky: proof.flaky } : {}),
    ...(proof.unsteady ? { unsteady: proof.unsteady } : {}),
    ...(held ? { heldOut: held } : {}),
    grounds: plan.changes,
    approved: proven.dispute?.is === 'approved',
    allowed: lenient?.paths ?? [],
    released: plan.released,
    missing: plan.missing,
    walls: obstacle === null ? { kind: 'full' } : { kind: 'none', because: obstacle },
    dependencies: { ...dependencies, trusted: trustsDependencies },
    pointers: pointersOf(first, second),
    providedChanged,
  };
}

const pointersOf = (first: RanTree, second: RanTree | undefined): readonly string[] => [
  ...new Set([...first.pointers, ...(second?.pointers ?? [])]),
];

const legOf = (leg: LegName, tree: string, { levels }: RanTree): ProvenLeg => ({
  leg,
  tree,
  passed: passes(levels),
  levels,
});

function verdictOn(heldOut: ProvenHeldOut): NonNullable<ProofFacts['heldOut']> {
  if (heldOut.kind === 'changed') return 'changed';
  return heldOut.recorded.failed === 0 ? 'passed' : 'failed';
}
