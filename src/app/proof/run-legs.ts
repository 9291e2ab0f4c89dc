import type { Check, HeldOutSettings } from '../../../machines/settings.ts';
import { HeldOutChangedError } from '../../actors/proof/held-out-files.ts';
import { doubtsOf, type ProofFacts } from '../../evidence/proof-verdict.ts';
import type { Side } from '../changes/run-sides.ts';
import { type HeldOutTree, ranHeldOut } from '../../verification/run-held-out.ts';
import type { Proof, ProofDependencies, ProvenHeldOut, ProvenLeg } from './run-proof.ts';
import type { ProofSoFar } from '../../verification/proof-so-far.ts';
import { proveTree } from '../../verification/prove-tree.ts';
import { type RanBoth, ranBoth } from '../../verification/run-both.ts';
import type { RecordedDemands } from './demands-of-record.ts';
import type { LegsSubject } from '../../verification/legs-subject.ts';
import type { PreparedLegs } from '../../verification/prepare-legs.ts';
import { FIRST_LEG, type LegName, type PlaceLeg, SECOND_LEG } from '../../verification/proof-places.ts';
import { brokenIn } from '../../verification/check-controls.ts';
import { type CheckedHow, passes, type RanTree, ranTree } from '../../verification/check-tree.ts';

const LEGS: readonly LegName[] = ['start', FIRST_LEG, SECOND_LEG, 'again', 'control', 'held-out'];

interface Planned {
  readonly subject: LegsSubject;
  readonly start: Side;
  readonly end: Side;
  readonly dependencies: ProofDependencies;
  readonly trustsDependencies: boolean;
  readonly demands: RecordedDemands;
}

interface LegRun extends PreparedLegs {
  readonly heldOut: HeldOutSettings | undefined;
  readonly run: string;
  readonly checks: readonly Check[];
  readonly stepped: CheckedHow['stepped'];
  readonly environment: readonly string[];
  readonly signal: AbortSignal;
  /** Called before each leg. */
  readonly onLeg: (leg: LegName) => void;
}

/**
 * Runs the checks on the start, and on the legs as a verification of the run does, and judges. The run has recorded
 * which tests are demanded, and which changed grounds a person has let count.
 */
export async function ranLegs(planned: Planned, { onLeg, ...run }: LegRun): Promise<Proof> {
  const { subject, start, end, dependencies, trustsDependencies, demands } = planned;
  const leg = { ...run, delta: () => {}, place: announced(run.place, onLeg) };
  const { providedChanged, obstacle, signal, heldOut: exam } = leg;
  const atStart = stoppedBy(signal, await ranTree('start', start.tree, leg, { ...leg, runsAll: true }));
  const rested = { dependenciesChanged: dependencies.changed?.length ?? null };
  const factsOf = ({ first, second, tests, dispute }: ProofSoFar): ProofFacts => ({
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
  const proven = stoppedBy(
    signal,
    await proveTree<RanBoth, ProvenHeldOut>(subject, leg, {
      ...leg,
      baseline: null,
      flickering: demands.flickering,
      atStart: atStart.checks,
      ledger: demands.ledger,
      unsteadyBefore: 0,
      reported: new Map([...atStart.tests, ...demands.reported]),
      dispute: { disputes: demands.disputes, canAsk: false },
      runLegs: (legs) => ranBoth(subject, legs, leg),
      rested: Promise.resolve(rested),
      restedAfter: () => Promise.resolve(rested),
      stands: (soFar) => doubtsOf(factsOf(soFar)).length === 0,
      holdOut: exam && ((work, legs) => examined({ start: start.tree, work }, exam, legs, leg)),
      hasMoved: () => Promise.resolve(false),
    }),
  );
  const { first, second, tests, held, lenient, proof } = proven;
  const { plan } = proven.legs;
  const doubts = doubtsOf({
    ...factsOf(proven),
    unsteady: proof.unsteady?.length ?? 0,
    brokenControls: brokenIn(proof),
    ...(held ? { heldOut: verdictOn(held) } : {}),
  });
  return {
    kind: 'proof',
    run: leg.run,
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

/** Tells which leg is placed, before it is. */
const announced =
  (place: PlaceLeg, onLeg: LegRun['onLeg']): PlaceLeg =>
  (leg, ...more) => {
    onLeg(LEGS.find((name) => leg.startsWith(name)) ?? SECOND_LEG);
    return place(leg, ...more);
  };

const legOf = (leg: LegName, tree: string, { levels }: RanTree): ProvenLeg => ({
  leg,
  tree,
  passed: passes(levels),
  levels,
});

/** The held-out checks on the start, to know how many tests they run, and on the work. */
async function examined(
  { start, work }: { readonly start: string; readonly work: readonly HeldOutTree[] },
  heldOut: HeldOutSettings,
  legs: PreparedLegs,
  leg: Omit<LegRun, 'onLeg'>,
): Promise<ProvenHeldOut> {
  try {
    const how = { ...leg, heldOut };
    const before = await ranHeldOut([{ tree: start, entries: legs.plan.base }], legs, { ...how, before: [] });
    const { ran } = stoppedBy(leg.signal, before).recorded;
    return { kind: 'ran', ...stoppedBy(leg.signal, await ranHeldOut(work, legs, { ...how, before: ran })) };
  } catch (error) {
    if (error instanceof HeldOutChangedError) return { kind: 'changed', because: error.message };
    throw error;
  }
}

function verdictOn(heldOut: ProvenHeldOut): NonNullable<ProofFacts['heldOut']> {
  if (heldOut.kind === 'changed') return 'changed';
  return heldOut.recorded.failed === 0 ? 'passed' : 'failed';
}

/** Nothing else ends checks before they have come to something. */
function stoppedBy<Value>(signal: AbortSignal, value: Value | null): Value {
  signal.throwIfAborted();
  if (value === null) throw new TypeError('checks were stopped by no signal');
  return value;
}
