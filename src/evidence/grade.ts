import type { Grade } from '../../machines/outcome.ts';
import type { RecordedProof } from '../../machines/recorded-proof.ts';

/** Why a proof is not worth more. */
export type Weakness =
  | 'grounds-approved'
  | 'dependencies-changed'
  | 'dependencies-unknown'
  | 'pointers-home'
  | 'no-tests'
  | 'no-control';

export interface Graded {
  readonly grade: Grade;
  /** What keeps it from a higher grade, the gravest reason first. */
  readonly because: readonly Weakness[];
}

/**
 * What passed checks are worth, from what is recorded of them. `weak`: the work may have changed what the checks run
 * on, in a way that they cannot see. `verified`: that is not so.
 */
export function gradeOf({ dispute, dependenciesChanged, pointersHome, unreported }: RecordedProof): Graded {
  const weak: Weakness[] = [
    ...(dispute ? ['grounds-approved' as const] : []),
    ...(dependenciesChanged === null ? ['dependencies-unknown' as const] : []),
    ...(dependenciesChanged ? ['dependencies-changed' as const] : []),
    ...(pointersHome > 0 ? ['pointers-home' as const] : []),
    ...(unreported.length > 0 ? ['no-tests' as const] : []),
  ];
  return weak.length > 0 ? { grade: 'weak', because: weak } : { grade: 'verified', because: ['no-control'] };
}
