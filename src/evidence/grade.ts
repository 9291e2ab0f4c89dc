import type { EventOf } from '../../machines/events.ts';
import type { Grade } from '../../machines/outcome.ts';
import type { Approver, RecordedProof } from '../../machines/recorded-proof.ts';
import { hasTurned, uncontrolled, type Uncontrolled } from './turn-controls.ts';

type Verification = EventOf<'verification.completed'>['payload'];

/** Why a proof is not worth more. */
export type Weakness =
  | 'in-workspace'
  | 'grounds-approved'
  | 'grounds-allowed'
  | 'dependencies-changed'
  | 'dependencies-unknown'
  | 'dependencies-unmet'
  | 'tools-changed'
  | 'outside-changed'
  | 'pointers-home'
  | 'no-tests'
  | 'tests-unplaced'
  | 'suppressions'
  | 'tests-in-sources'
  | 'flaky'
  | 'nothing-turned'
  | 'reads-only'
  | Uncontrolled
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
 * on, in a way that they cannot see. `verified`: that is not so. `approved`: a person has let exactly these changes of
 * tests count. `witnessed`: no person had to, and a test failed before the work and passes with it, behind walls, and
 * tests that must fail did.
 */
export function gradeOf(proof: RecordedProof): Graded {
  const weak = weaknesses(proof);
  if (weak.length > 0) return { grade: 'weak', because: weak };
  if (proof.dispute) return { grade: 'approved', because: ['grounds-approved', ...unsealed(proof)] };
  const because = [...unwitnessed(proof), ...unsealed(proof)];
  return { grade: because.length > 0 ? 'verified' : 'witnessed', because };
}

/** The same, of any checks. In the workspace nothing was looked into. Null: from before such checks had a grade. */
export function gradedChecks({ proof, ungraded }: Pick<Verification, 'proof' | 'ungraded'>): Graded | null {
  if (proof) return gradeOf(proof);
  return ungraded ? null : { grade: 'weak', because: ['in-workspace'] };
}

function weaknesses(proof: RecordedProof): readonly Weakness[] {
  const { dispute, dependenciesChanged, pointersHome, unreported } = proof;
  const { toolsChanged = [], outsideChanged = [], dependenciesUnmet = [], unplaced = [] } = proof;
  const { suppressions = 0, testsInSources = [], allowed = [] } = proof;
  const isApproved = dispute?.is === 'approved' && isProven(dispute.approver);
  return [
    // Where no person is proven to have ruled, the ruling may be anyone's.
    ...(dispute && !isApproved ? ['grounds-approved' as const] : []),
    ...(allowed.length > 0 ? ['grounds-allowed' as const] : []),
    ...(dependenciesChanged === null ? ['dependencies-unknown' as const] : []),
    ...(dependenciesChanged ? ['dependencies-changed' as const] : []),
    ...(dependenciesUnmet.length > 0 ? ['dependencies-unmet' as const] : []),
    ...(toolsChanged.length > 0 ? ['tools-changed' as const] : []),
    ...(outsideChanged.length > 0 ? ['outside-changed' as const] : []),
    ...(pointersHome > 0 ? ['pointers-home' as const] : []),
    ...(unreported.length > 0 ? ['no-tests' as const] : []),
    ...(unplaced.length > 0 ? ['tests-unplaced' as const] : []),
    ...(suppressions > 0 ? ['suppressions' as const] : []),
    ...(testsInSources.length > 0 ? ['tests-in-sources' as const] : []),
    ...(isCuredByChance(proof) ? ['flaky' as const] : []),
  ];
}

/** Whether it is certain that the person has ruled themselves. */
const isProven = (approver: Approver | undefined): boolean =>
  approver?.door === 'terminal' || approver?.door === 'token';

/** A check has turned, and none of its tests but those that turn by themselves. */
const isCuredByChance = ({ flaky = [], tests }: RecordedProof): boolean =>
  flaky.some(({ check }) => !tests.some((one) => one.check === check && one.turnedCount > 0));

/** What was not recorded is not taken for good. */
function unwitnessed(proof: RecordedProof): readonly Weakness[] {
  const { turnedChecks = [], controls } = proof;
  if (hasTurned(proof)) return uncontrolled(proof);
  if (turnedChecks.length === 0) return ['nothing-turned'];
  // Nothing of the work runs there, so that nothing of it could keep an error from being found.
  return controls ? ['reads-only'] : [];
}

/** Lists what let the work reach beyond its own files, or did not let it run as it is. */
const unsealed = ({ walls, oneLeg, networked = [] }: RecordedProof): readonly Weakness[] => [
  ...(walls === 'full' ? [] : ['no-walls' as const]),
  ...(oneLeg ? ['one-leg' as const] : []),
  ...(networked.length > 0 ? ['network' as const] : []),
];
