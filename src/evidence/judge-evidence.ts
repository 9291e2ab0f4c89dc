import type { EventOf } from '../../machines/events.ts';
import type { Grade, Outcome } from '../../machines/outcome.ts';
import type { RecordedProof } from '../../machines/recorded-proof.ts';
import type { RunSettings } from '../../machines/settings.ts';
import { type Graded, gradeOf, type Weakness } from './grade.ts';

// What the rules of today would have called a recorded run, by what was recorded of it and nothing else. What was not
// recorded is unknown: it is never taken for good.

type Verification = EventOf<'verification.completed'>['payload'];

/** Of what the rules of today go by, what was not recorded. */
export type Unrecorded =
  | 'verification'
  | 'earlier-runs'
  | 'tools'
  | 'suppressions'
  | 'tests-in-sources'
  | 'network'
  | 'control'
  | 'held-out';

/** Why the rules of today would not have let work count. */
export type Refusal =
  | 'checks-failed'
  | 'unchanged'
  | 'lost-tests'
  | 'no-report'
  | 'touched'
  | 'unsteady'
  | 'control'
  | 'held-out';

/**
 * `none`: the run claims no success. `unverified`: nothing was checked, or checks failed and the work was accepted.
 * `refused`: it would not have counted. `unknown`: more would have to be known.
 */
export type JudgedEvidence =
  | { readonly today: 'none' | 'unverified' }
  | { readonly today: 'refused'; readonly because: readonly Refusal[] }
  | ({ readonly today: Grade } & Pick<Graded, 'because'>)
  | {
      readonly today: 'unknown';
      readonly unrecorded: readonly Unrecorded[];
      /** The best that it can be, as far as that is known, and why not better. */
      readonly atMost: Grade | null;
      readonly because: readonly Weakness[];
    };

export interface RecordedEvidence {
  readonly settings: Pick<RunSettings, 'checks' | 'proof'>;
  /** Null: it has not ended. */
  readonly outcome: Outcome | null;
  /** The checks that its success rests on. Null: there were none, or they cannot be read. */
  readonly verification: Verification | null;
}

export function judgedEvidence({ settings, outcome, verification }: RecordedEvidence): JudgedEvidence {
  if (outcome?.ending !== 'success') return { today: 'none' };
  if (outcome.partial || outcome.verified === null || settings.checks.length === 0) return { today: 'unverified' };
  if (verification === null) return unknown(['verification']);
  const { proof } = verification;
  if (!proof) return { today: 'weak', because: ['in-workspace'] };
  const refusals = refusalsOf(verification, proof);
  if (refusals.length > 0) return { today: 'refused', because: refusals };
  const { grade, because } = gradeOf(withControls(proof));
  const unrecorded = unrecordedOf(proof, settings);
  return unrecorded.length === 0 ? { today: grade, because } : { ...unknown(unrecorded), atMost: grade, because };
}

/** Where each check has no control recorded, the best that it can have had. */
function withControls(proof: RecordedProof): RecordedProof {
  if (proof.controls) return proof;
  const is = proof.control?.held.length === 0 ? ('unnoticed' as const) : ('held' as const);
  return { ...proof, controls: proof.tests.map(({ check }) => ({ check, by: 'tests', is })) };
}

const unknown = (unrecorded: readonly Unrecorded[]) =>
  ({ today: 'unknown', unrecorded, atMost: null, because: [] }) as const;

function refusalsOf({ passed }: Verification, proof: RecordedProof): readonly Refusal[] {
  const { legs, unchanged, tests, dispute, touched, control, controls, heldOut } = proof;
  const isApproved = dispute?.is === 'approved';
  const isBroken = (control?.broken.length ?? 0) > 0 || controls?.some(({ is }) => is === 'broken');
  const isLost = !isApproved && tests.some(({ lostCount }) => lostCount > 0);
  return [
    ...(passed && (isApproved || legs.every((leg) => leg.passed)) ? [] : ['checks-failed' as const]),
    ...(unchanged ? ['unchanged' as const] : []),
    ...(isLost ? ['lost-tests' as const] : []),
    ...(tests.some(({ reportMissing }) => reportMissing) ? ['no-report' as const] : []),
    ...(touched?.length ? ['touched' as const] : []),
    ...(proof.unsteady?.length ? ['unsteady' as const] : []),
    ...(isBroken ? ['control' as const] : []),
    ...(heldOut?.failed ? ['held-out' as const] : []),
  ];
}

function unrecordedOf(proof: RecordedProof, settings: RecordedEvidence['settings']): readonly Unrecorded[] {
  const { toolsChanged, suppressions, testsInSources, networked, controls, heldOut } = proof;
  return [
    ...(settings.proof?.inherited ? [] : ['earlier-runs' as const]),
    ...(toolsChanged ? [] : ['tools' as const]),
    ...(suppressions === undefined ? ['suppressions' as const] : []),
    ...(testsInSources ? [] : ['tests-in-sources' as const]),
    ...(networked ? [] : ['network' as const]),
    ...(controls ? [] : ['control' as const]),
    ...(settings.proof?.heldOut && !heldOut ? ['held-out' as const] : []),
  ];
}
