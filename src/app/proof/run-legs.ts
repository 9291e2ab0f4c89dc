import type { Check, HeldOutSettings } from '../../../machines/settings.ts';
import { HeldOutChangedError } from '../../actors/proof/held-out-files.ts';
import { doubtsOf } from '../../evidence/proof-verdict.ts';
import { type HeldOutTree, ranHeldOut } from '../../verification/run-held-out.ts';
import { factsFor, type PlannedLegs, proofOfLegs } from './proof-of-legs.ts';
import type { Proof, ProvenHeldOut } from './run-proof.ts';
import { proveTree } from '../../verification/prove-tree.ts';
import { type RanBoth, ranBoth } from '../../verification/run-both.ts';
import type { PreparedLegs } from '../../verification/prepare-legs.ts';
import { FIRST_LEG, type LegName, type PlaceLeg, SECOND_LEG } from '../../verification/proof-places.ts';
import { type CheckedHow, ranTree } from '../../verification/check-tree.ts';

const LEGS: readonly LegName[] = ['start', FIRST_LEG, SECOND_LEG, 'again', 'control', 'held-out'];

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
export async function ranLegs(planned: PlannedLegs, { onLeg, ...run }: LegRun): Promise<Proof> {
  const { subject, start, dependencies, demands } = planned;
  const leg = { ...run, delta: () => {}, place: announced(run.place, onLeg) };
  const { signal, heldOut: exam } = leg;
  const atStart = stoppedBy(signal, await ranTree('start', start.tree, leg, { ...leg, runsAll: true }));
  const rested = { dependenciesChanged: dependencies.changed?.length ?? null };
  const factsOf = factsFor(planned, { ...leg, atStart });
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
  return proofOfLegs(planned, proven, { ...leg, atStart });
}

/** Tells which leg is placed, before it is. */
const announced =
  (place: PlaceLeg, onLeg: LegRun['onLeg']): PlaceLeg =>
  (leg, ...more) => {
    onLeg(LEGS.find((name) => leg.startsWith(name)) ?? SECOND_LEG);
    return place(leg, ...more);
  };

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

/** Nothing else ends checks before they have come to something. */
function stoppedBy<Value>(signal: AbortSignal, value: Value | null): Value {
  signal.throwIfAborted();
  if (value === null) throw new TypeError('checks were stopped by no signal');
  return value;
}
