import type { RecordedProof } from '../../../../machines/recorded-proof.ts';
import type { CheckedTests } from '../../../evidence/checked-tests.ts';
import type { LegsSubject } from './prepared-legs.ts';
import type { ProofSoFar } from './prove-tree.ts';
import { ranControl } from './ran-control.ts';
import type { CheckedHow } from './ran-tree.ts';

interface ControlsHow extends CheckedHow {
  readonly tests: readonly CheckedTests[];
}

/** Null: told to stop. */
export async function ranControls(
  { legs, start }: ProofSoFar,
  subject: LegsSubject,
  how: ControlsHow,
): Promise<Pick<RecordedProof, 'control' | 'controls'> | null> {
  if (subject.asked?.control === 'off') return {};
  const control = await ranControl(legs, { ...how, start });
  return control && { control };
}

export const brokenIn = ({ control }: Pick<RecordedProof, 'control'>): number => control?.broken.length ?? 0;
