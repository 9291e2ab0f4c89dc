import type { RecordedProof } from '../../machines/recorded-proof.ts';
import type { RunSettings } from '../../machines/settings.ts';
import type { Graded } from './grade.ts';

/** The lowest grade that a run was started to take. */
export type Accept = RunSettings['accept'];

/**
 * Tells whether passed checks are enough for a task to be done. `verified` is where each check found the error that was
 * planted for it. A proof from before each check had such a control is as it was then: all but `weak` is enough.
 *
 * @example
 * isEnough({ grade: 'verified' }, { controls: [] }, 'verified'); // true
 * isEnough({ grade: 'weak' }, undefined, 'weak'); // true
 */
export function isEnough(
  { grade }: Pick<Graded, 'grade'>,
  proof: Pick<RecordedProof, 'controls'> | undefined,
  accept?: Accept,
): boolean {
  switch (grade) {
    case 'witnessed':
    case 'approved':
      return true;
    case 'verified':
      return accept !== undefined || !proof?.controls || areControlled(proof.controls);
    case 'weak':
      return accept === 'weak';
    case 'not regressed':
      return false;
  }
}

type Controls = NonNullable<RecordedProof['controls']>;

const areControlled = (controls: Controls): boolean => controls.length > 0 && uncontrolledChecks(controls).length === 0;

/** The checks of which nothing shows that they find an error. */
export const uncontrolledChecks = (controls: Controls = []): readonly string[] =>
  controls.filter(({ is }) => is !== 'held').map(({ check }) => check);
