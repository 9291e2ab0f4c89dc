import { MAX_NAMED, type CheckControl, type RecordedProof } from '../../../../machines/recorded-proof.ts';
import type { CheckedTests } from '../../../evidence/checked-tests.ts';
import type { LegsSubject } from './prepared-legs.ts';
import type { ProofSoFar } from './prove-tree.ts';
import { ranControl } from './ran-control.ts';
import type { CheckedHow } from './ran-tree.ts';

interface ControlsHow extends CheckedHow {
  readonly tests: readonly CheckedTests[];
}

type Controls = Pick<RecordedProof, 'control' | 'controls'>;

/**
 * Runs the control of each check: tests that must fail, for those that run tests, and a planted error, for those that
 * only read. Null: told to stop.
 */
export async function ranControls(
  { legs, start }: ProofSoFar,
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
  const named = (paths: readonly string[]) => paths.slice(0, MAX_NAMED);
  return {
    control: { held: named(held), broken: named(broken), unnoticed: named(unnoticed) },
    controls: none.map((one) => ({ ...one, is: checks.get(one.check) ?? one.is })),
  };
}

/** How many controls are broken. */
export const brokenIn = ({ controls = [] }: Pick<RecordedProof, 'controls'>): number =>
  controls.filter(({ is }) => is === 'broken').length;
