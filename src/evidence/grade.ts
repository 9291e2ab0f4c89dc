import type { EventOf } from '../../machines/events.ts';
import type { Grade } from '../../machines/outcome.ts';
import type { RecordedProof } from '../../machines/recorded-proof.ts';

type Verification = EventOf<'verification.completed'>['payload'];

/** Why a proof is not worth more. */
export type Weakness =
  | 'in-workspace'
  | 'grounds-approved'
  | 'grounds-allowed'
  | 'dependencies-changed'
  | 'dependencies-unknown'
  | 'tools-changed'
  | 'pointers-home'
  | 'no-tests'
  | 'suppressions'
  | 'tests-in-sources'
  | 'nothing-turned'
  | 'no-control'
  | 'no-walls'
  | 'one-leg'
  | 'network';

export interface Graded {
  readonly grade: Grade;
  /** What keeps it from a higher grade, the gravest reason first. */
  readonly because: readonly Weakness[];
}

/**
 * What passed checks are worth, from what is recorded of them. `weak`: the work may have changed what the checks run
 * on, in a way that they cannot see. `verified`: that is not so. `witnessed`: moreover a test failed before the work
 * and passes with it, behind walls, and tests that must fail did.
 */
export function gradeOf(proof: RecordedProof): Graded {
  const weak = weaknesses(proof);
  if (weak.length > 0) return { grade: 'weak', because: weak };
  const because = missing(proof);
  return { grade: because.length > 0 ? 'verified' : 'witnessed', because };
}

/** The same, of any checks. In the workspace nothing was looked into. Null: from before such checks had a grade. */
export function gradedChecks({ proof, ungraded }: Pick<Verification, 'proof' | 'ungraded'>): Graded | null {
  if (proof) return gradeOf(proof);
  return ungraded ? null : { grade: 'weak', because: ['in-workspace'] };
}

function weaknesses({
  dispute,
  dependenciesChanged,
  pointersHome,
  unreported,
  toolsChanged = [],
  suppressions = 0,
  testsInSources = [],
  allowed = [],
}: RecordedProof): readonly Weakness[] {
  return [
    ...(dispute ? ['grounds-approved' as const] : []),
    ...(allowed.length > 0 ? ['grounds-allowed' as const] : []),
    ...(dependenciesChanged === null ? ['dependencies-unknown' as const] : []),
    ...(dependenciesChanged ? ['dependencies-changed' as const] : []),
    ...(toolsChanged.length > 0 ? ['tools-changed' as const] : []),
    ...(pointersHome > 0 ? ['pointers-home' as const] : []),
    ...(unreported.length > 0 ? ['no-tests' as const] : []),
    ...(suppressions > 0 ? ['suppressions' as const] : []),
    ...(testsInSources.length > 0 ? ['tests-in-sources' as const] : []),
  ];
}

/** What was not recorded is not taken for good. */
function missing({
  tests,
  turnedChecks = [],
  control,
  walls,
  networked = [],
  oneLeg,
}: RecordedProof): readonly Weakness[] {
  const hasTurned = tests.some(({ turnedCount }) => turnedCount > 0);
  return [
    ...(hasTurned || turnedChecks.length > 0 ? [] : ['nothing-turned' as const]),
    // A check that only reads the work needs none: nothing of it runs.
    ...(hasTurned && !control?.held.length ? ['no-control' as const] : []),
    ...(walls === 'full' ? [] : ['no-walls' as const]),
    ...(oneLeg ? ['one-leg' as const] : []),
    ...(networked.length > 0 ? ['network' as const] : []),
  ];
}
