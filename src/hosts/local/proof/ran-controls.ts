import { MAX_NAMED, type CheckControl, type RecordedProof } from '../../../../machines/recorded-proof.ts';
import type { CheckedTests } from '../../../evidence/checked-tests.ts';
import type { CheckResult } from '../../../../machines/events.ts';
import { checkOfStep } from '../../../evidence/steps/with-steps.ts';
import type { LegsSubject } from './prepared-legs.ts';
import type { ProofSoFar } from './proof-so-far.ts';
import { ranControl } from './ran-control.ts';
import { ranPlanted } from './ran-planted.ts';
import type { CheckedHow } from './ran-tree.ts';

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
  const stepOf = checkOfStep(how.stepped?.cut ?? []);
  const isControlled = new Set(
    controls.filter(({ is }) => is !== 'none').map(({ check }) => stepOf.get(check) ?? check),
  );
  // A step that builds for the tests of another step has its control there.
  const own = controls.filter(({ check, is }) => is !== 'none' || !isControlled.has(stepOf.get(check) ?? ''));
  const named = (paths: readonly string[]) => paths.slice(0, MAX_NAMED);
  return { control: { held: named(held), broken: named(broken), unnoticed: named(unnoticed) }, controls: own };
}

/** How many controls are broken. */
export const brokenIn = ({ controls = [] }: Pick<RecordedProof, 'controls'>): number =>
  controls.filter(({ is }) => is === 'broken').length;
