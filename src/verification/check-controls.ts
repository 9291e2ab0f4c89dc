import { MAX_NAMED, type CheckControl, type RecordedProof } from '../../machines/recorded-proof.ts';
import type { CheckedTests } from '../evidence/tests-of-checks.ts';
import type { CheckResult } from '../../machines/events.ts';
import { checkOfStep } from '../evidence/steps/with-steps.ts';
import type { LegsSubject } from './legs-subject.ts';
import type { ProofSoFar } from './proof-so-far.ts';
import { type ControlledLegs, ranControl } from './run-control.ts';
import { type PlantedHow, ranPlanted } from './reading-control.ts';
import type { CheckedHow } from './check-tree.ts';

/** A step that takes longer, beside tests, gets no errors: it may run more than ten times for them. */
const MAX_PLANTED_STEP_MS = 3_000;

interface ControlsHow extends CheckedHow {
  readonly tests: readonly CheckedTests[];
  /** The results of the checks on the start. */
  readonly atStart: readonly CheckResult[];
}

type Controls = Pick<RecordedProof, 'control' | 'controls'>;

/**
 * Runs the control of each check: tests that must fail, for those that run tests, and a planted error, for those that
 * only read. Null: told to stop.
 */
export async function ranControls(
  { legs, start, first }: ProofSoFar,
  subject: LegsSubject,
  how: ControlsHow,
): Promise<Controls | null> {
  const { reading } = legs.plan;
  const by = (check: string) => (reading.has(check) ? ('reading' as const) : ('tests' as const));
  const none = how.checks.map(({ name }): CheckControl => ({ check: name, by: by(name), is: 'none' }));
  if (subject.asked?.control === 'off') return { controls: none };
  const ran = await ranControl(legs, { ...how, start });
  if (ran === null) return null;
  const { held, broken, unnoticed, checks } = ran;
  const controls: CheckControl[] = [];
  for (const [at, one] of none.entries()) {
    const check = one.by === 'reading' ? how.checks[at] : undefined;
    const is = check ? await ranPlanted(check, legs, { ...how, first }) : (checks.get(one.check) ?? 'none');
    if (is === null) return null;
    controls.push({ ...one, is });
  }
  const stepOf = checkOfStep(how.stepped?.cut);
  const isControlled = new Set(
    controls.filter(({ is }) => is !== 'none').map(({ check }) => stepOf.get(check) ?? check),
  );
  const own: CheckControl[] = [];
  for (const one of controls) {
    const hasTests = (first.tests.get(one.check)?.tests.length ?? 0) > 0;
    const isBeside = one.is === 'none' && !hasTests && isControlled.has(stepOf.get(one.check) ?? '');
    const is = isBeside && one.by === 'tests' ? await besideTests(one.check, legs, { ...how, first }) : one.is;
    if (is === null) return null;
    if (is !== one.is) own.push({ ...one, by: 'reading', is });
    else if (!isBeside) own.push(one);
  }
  const named = (paths: readonly string[]) => paths.slice(0, MAX_NAMED);
  return { control: { held: named(held), broken: named(broken), unnoticed: named(unnoticed) }, controls: own };
}

/**
 * Plants errors for a step that names no test, beside one that does: it may be a linter of the project's own. A step
 * that builds for those tests has its control there, so what it does not find says nothing.
 */
async function besideTests(name: string, legs: ControlledLegs, how: PlantedHow): Promise<CheckControl['is'] | null> {
  const check = how.checks.find((one) => one.name === name);
  const before = how.first.checks.find((one) => one.name === name);
  if (!check || !before || before.durationMs > MAX_PLANTED_STEP_MS) return 'none';
  const is = await ranPlanted(check, legs, how);
  return is === 'unnoticed' ? 'none' : is;
}

/** Counts the broken controls. */
export const brokenIn = ({ controls = [] }: Pick<RecordedProof, 'controls'>): number =>
  controls.filter(({ is }) => is === 'broken').length;
