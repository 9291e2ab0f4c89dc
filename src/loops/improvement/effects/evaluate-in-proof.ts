import type { HeldOutSettings } from '../../../../machines/settings.ts';
import type { LegsSubject } from '../../../verification/legs-subject.ts';
import { inProof } from '../../../verification/prepare-legs.ts';
import type { Baseline } from '../../../verification/work-proof.ts';
import { benchmarkTiers } from './benchmark-tier.ts';
import type { CheckedCandidate } from './check-candidate.ts';
import { type CheckedHere, checkedHere } from './check-in-folder.ts';
import { heldOutTier, withExam } from './held-out-tier.ts';
import { startGroundsTier } from './start-grounds-tier.ts';
import { turnedBy } from '../witness/turn-of-tests.ts';
import type { Tell } from './news-meanwhile.ts';

/** A candidate whose change lies on the head, and what it is evaluated with. */
export interface Evaluating extends CheckedHere {
  readonly heldOut: HeldOutSettings | undefined;
  /** For intervals of benchmarks. */
  readonly seed: number;
  readonly tell: Tell;
  /** How the checks went on what the run began with. */
  readonly start: Baseline;
}

/**
 * The tiers that run commands, each in a checkout of its own, up to the first that refuses; then what all checks said,
 * with its proof: whether all of them pass, which is not what decides where the head is red. False: told to stop.
 * Throws a `GitError`, and where held-out files are others than at the start, a `HeldOutChangedError`.
 */
export async function evaluatedInProof(subject: LegsSubject, how: Evaluating): Promise<boolean> {
  const { log, heldOut, options, discovery } = how;
  const checked = await inProof(subject, how, (legs) => checkedHere(subject, legs, how));
  if (checked === null) return false;
  if (checked === 'early') return true;
  if (log.refused === null && !(await startTier(subject, checked, how))) return false;
  const isOwn = (name: string) => discovery.source === 'benchmarks' && discovery.check === name;
  const benchmarks = options.benchmarks.map((one) => ({ ...one, hasToImprove: isOwn(one.name) }));
  const measuring = { ...how, benchmarks, say: log.say.bind(log) };
  if (log.refused === null && !(await benchmarkTiers(subject, measuring))) return false;
  const { witness } = how;
  if (witness?.kind === 'interval' && log.refused === null)
    log.shown = turnedBy(witness, { proof: checked.proof, file: null, held: [], isAlone: how.isAlone });
  const isExam = heldOut !== undefined && log.refused === null;
  const exam = isExam ? await heldOutTier(subject, { ...how, heldOut }) : undefined;
  if (exam === null) return false;
  if (exam) log.say(exam.tier);
  const { verification } = checked;
  const payload = exam && heldOut ? withExam(verification, exam, heldOut) : verification;
  how.tell({ type: 'verification.completed', payload });
  return true;
}

/** False: told to stop. */
async function startTier(subject: LegsSubject, { legs }: CheckedCandidate, how: Evaluating): Promise<boolean> {
  const { start, log } = how;
  if (start.workspace === null || start.workspace === subject.base) return true;
  const tier = await startGroundsTier({ ...subject, base: start.workspace, work: legs.plan.first }, how);
  if (tier) log.say(tier);
  return tier !== null;
}
