import type { LevelResult } from '../../../../machines/events.ts';
import type { Check, HeldOutSettings } from '../../../../machines/settings.ts';
import { HeldOutChangedError } from '../../../actors/proof/held-out-files.ts';
import { type CheckedTests, checkedTests } from '../../../evidence/checked-tests.ts';
import type { GroundChange } from '../../../../machines/recorded-proof.ts';
import type { JudgedControl } from '../../../evidence/control/judge-control.ts';
import { type Doubt, doubtsOf, type ProofFacts } from '../../../evidence/proof-verdict.ts';
import type { Side } from '../run-sides.ts';
import { heldOutTrees, type RanHeldOut, ranHeldOut } from './ran-held-out.ts';
import type { PlannedLegs } from './planned-legs.ts';
import { withAllowed } from './ran-both.ts';
import type { LegsSubject, PreparedLegs } from './prepared-legs.ts';
import type { LegName } from './proof-places.ts';
import { ranControl } from './ran-control.ts';
import { passes, type RanTree, ranTree } from './ran-tree.ts';

export interface ProvenLeg {
  readonly leg: LegName;
  /** The hash of the tree that was checked. */
  readonly tree: string;
  readonly passed: boolean;
  readonly levels: readonly LevelResult[];
}

/** Whether what a run has left passes its checks, with what its checks rested on when it began. */
export interface Proof {
  readonly kind: 'proof';
  readonly run: string;
  readonly proven: boolean;
  /** Why it is not proven, the gravest reason first. */
  readonly doubts: readonly Doubt[];
  readonly base: Side;
  readonly work: Side;
  /** The checks, all levels, on what the run began with: which tests there were, and which failed. */
  readonly start: ProvenLeg;
  /** The tests of each check that has any, with the grounds of the start, against those of the start. */
  readonly tests: readonly CheckedTests[];
  /** The second is missing where the run changed no ground: both would be one tree. */
  readonly legs: readonly ProvenLeg[];
  /** What tests that must fail came to. Absent: something speaks against the work without it. */
  readonly control?: JudgedControl;
  /** Absent: the run had no held-out checks. */
  readonly heldOut?: ProvenHeldOut;
  readonly grounds: readonly GroundChange[];
  /** Changed grounds that count, because the run was started to let them, and the work rests on them. */
  readonly allowed: readonly string[];
  /** Changed grounds that `unprotect` alone releases. */
  readonly released: readonly string[];
  /** Repositories within the workspace: no capture has their files, and no leg. */
  readonly missing: readonly string[];
  /** What the checks could not reach: all of the machine but their checkout (`full`), or nothing. */
  readonly walls: { readonly kind: 'full' } | { readonly kind: 'none'; readonly because: string };
  readonly dependencies: ProofDependencies & { readonly trusted: boolean };
  /** Without walls: what leads from the copied dependencies into the workspace. At most 20. */
  readonly pointers: readonly string[];
  /** Provided files that are not what they were when the run began: no leg had them. */
  readonly providedChanged: readonly string[];
}

/** What held-out checks came to. `changed`: their files are not those of the run's start. */
export type ProvenHeldOut =
  | ({ readonly kind: 'ran' } & RanHeldOut)
  | { readonly kind: 'changed'; readonly because: string };

/** The installed dependencies that the legs get from the workspace. */
export interface ProofDependencies {
  readonly given: readonly string[];
  /** Files of them that changed since the run began. Null: that cannot be known here. */
  readonly changed: readonly string[] | null;
}

interface Planned {
  readonly run: string;
  readonly start: Side;
  readonly end: Side;
  readonly dependencies: ProofDependencies;
  readonly trustsDependencies: boolean;
}

interface LegRun extends Omit<PreparedLegs, 'dependencies' | 'isUntouched'>, Pick<LegsSubject, 'asked'> {
  readonly heldOut: HeldOutSettings | undefined;
  readonly run: string;
  readonly checks: readonly Check[];
  readonly environment: readonly string[];
  readonly signal: AbortSignal;
  /** Called before each leg. */
  readonly onLeg: (leg: LegName) => void;
}

/** Runs the checks on the legs, one after the other, and judges. */
export async function ranLegs(planned: Planned, leg: LegRun): Promise<Proof> {
  const { run, start, end, dependencies, trustsDependencies } = planned;
  const { providedChanged, obstacle, asked = {} } = leg;
  const atStart = await ranLeg('start', start.tree, leg);
  const strict = await ranLeg('base', leg.plan.first, leg);
  const lenient = strict.leg.passed ? null : await withAllowed(leg);
  const { plan } = lenient?.legs ?? leg;
  const base = lenient ? await ranLeg('base', plan.first, leg) : strict;
  const isOne = asked.legs === 'base' || plan.first === end.tree;
  const work = isOne ? null : await ranLeg('work', end.tree, leg);
  const before = { ...atStart, tests: lenient ? lenient.allowed.without(atStart.tests) : atStart.tests };
  const pointers = [...new Set([...base.pointers, ...(work?.pointers ?? [])])];
  const tests = checkedTests(before.tests, base, work);
  const facts: ProofFacts = {
    legs: work ? [base.leg, work.leg] : [base.leg],
    tests,
    changedDependencies: trustsDependencies ? 0 : (dependencies.changed?.length ?? 0),
    pointersHome: pointers.length,
    providedChanged: providedChanged.length,
    touched: base.touched.filter((path) => !before.touched.includes(path)).length,
  };
  const control =
    doubtsOf(facts).length === 0 && asked.control !== 'off'
      ? await controlled(plan, { start: before.tests, tests }, leg)
      : undefined;
  const heldOut = leg.heldOut && (await examined(plan, { start: start.tree, work: end.tree }, leg.heldOut, leg));
  const doubts = doubtsOf({
    ...facts,
    brokenControls: control?.broken.length ?? 0,
    ...(heldOut ? { heldOut: verdictOn(heldOut) } : {}),
  });
  return {
    kind: 'proof',
    run,
    proven: doubts.length === 0,
    doubts,
    base: start,
    work: end,
    start: before.leg,
    tests,
    legs: [base.leg, ...(work ? [work.leg] : [])],
    ...(control ? { control } : {}),
    ...(heldOut ? { heldOut } : {}),
    grounds: plan.changes,
    allowed: lenient?.allowed.paths ?? [],
    released: plan.released,
    missing: plan.missing,
    walls: obstacle === null ? { kind: 'full' } : { kind: 'none', because: obstacle },
    dependencies: { ...dependencies, trusted: trustsDependencies },
    pointers,
    providedChanged,
  };
}

async function controlled(
  plan: PlannedLegs,
  compared: { readonly start: RanLeg['tests']; readonly tests: readonly CheckedTests[] },
  { onLeg, ...leg }: LegRun,
): Promise<JudgedControl> {
  if (compared.tests.some(({ turned }) => turned.length > 0)) onLeg('control');
  const control = await ranControl({ ...leg, plan }, { ...leg, ...compared });
  return stoppedBy(leg.signal, control);
}

/** The held-out checks on the start, to know how many tests they run, and on the work. */
async function examined(
  plan: PlannedLegs,
  { start, work }: { readonly start: string; readonly work: string },
  heldOut: HeldOutSettings,
  { onLeg, ...leg }: LegRun,
): Promise<ProvenHeldOut> {
  onLeg('held-out');
  try {
    const how = { ...leg, heldOut };
    const before = await ranHeldOut([{ tree: start, entries: plan.base }], leg, { ...how, before: [] });
    const { ran } = stoppedBy(leg.signal, before).recorded;
    const after = await ranHeldOut(heldOutTrees(plan, work, false), leg, { ...how, before: ran });
    return { kind: 'ran', ...stoppedBy(leg.signal, after) };
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

interface RanLeg extends Pick<RanTree, 'checks' | 'tests' | 'pointers' | 'touched'> {
  readonly leg: ProvenLeg;
}

async function ranLeg(name: LegName, tree: string, { onLeg, ...how }: LegRun): Promise<RanLeg> {
  onLeg(name);
  const ran = await ranTree(name, tree, how, { ...how, runsAll: name === 'start', delta: () => {} });
  const { levels, checks, tests, pointers, touched } = stoppedBy(how.signal, ran);
  return { leg: { leg: name, tree, passed: passes(levels), levels }, checks, tests, pointers, touched };
}
