import type { EventOf, LeftOut } from '../../machines/events.ts';
import { basedOn } from '../evidence/base-tests.ts';
import { hasFlickered, knownFlickering } from '../evidence/flicker-tests.ts';
import { withHeldOut } from '../evidence/held-out.ts';
import { type Proven, withProof } from '../evidence/proof-feedback.ts';
import { type EarlierVerdicts, rememberVerdict, repeatedVerdict } from './earlier-verdict.ts';
import type { LegsSubject } from './legs-subject.ts';
import { inProof } from './prepare-legs.ts';
import type { ProofSoFar } from './proof-so-far.ts';
import { type ProofPolicy, proveTree } from './prove-tree.ts';
import { lackedByWork } from './work-lacks.ts';
import { ranBoth } from './run-both.ts';
import { ranHeldOut } from './run-held-out.ts';
import { changedSurroundings, surroundingsNow } from './surroundings.ts';
import { type CheckedHow, passes } from './check-tree.ts';

type Verification = EventOf<'verification.completed'>['payload'];

interface WorkHow extends CheckedHow {
  /** How the checks went on the base. Null: they did not run on it. */
  readonly baseline: ProofPolicy['baseline'];
  /** The rulings of people so far, and whether one can be asked. */
  readonly dispute: NonNullable<ProofPolicy['dispute']>;
  /** The number of verifications of this run that found an unsteady test. */
  readonly unsteadyBefore: number;
  /** Files that the run has written, and that its captures lack. */
  readonly uncaptured: readonly LeftOut[];
  /** The workspace as it is now: the hash of its tree, by no cache. */
  readonly captureAgain: () => Promise<string | null>;
  readonly heldOut: Parameters<typeof ranHeldOut>[2]['heldOut'] | undefined;
  /** What this process has found of the run so far. */
  readonly verdicts: EarlierVerdicts;
}

/**
 * Verifies the work of a run while it runs, by the protocol of proofs (prove-tree.ts). Files that have failed before,
 * with all else as it was, are not checked again. Nothing passes where a test of the base is lost, unless a person
 * approved it, where the work is a base that passed before, or where the workspace is another one afterwards.
 * Null: told to stop. Throws a `GitError`.
 */
export function verifiedWork(subject: LegsSubject, how: WorkHow): Promise<Verification | null> {
  return inProof(subject, how, async (prepared) => {
    const { providedChanged, obstacle } = prepared;
    const { baseline, heldOut: exam, uncaptured } = how;
    const { surroundings } = baseline ?? {};
    const { ruling } = how.dispute.disputes;
    const now = surroundings ? surroundingsNow(subject, prepared, surroundings) : null;
    const state = async () => now && JSON.stringify([await now, providedChanged, uncaptured, ruling]);
    const repeated = await repeatedVerdict(how.verdicts, subject.work, state);
    if (repeated) return repeated;
    const flickering = baseline ? knownFlickering(baseline) : [];
    const isApproved = ({ dispute }: ProofSoFar) => dispute?.is === 'approved';
    const ranIn = (soFar: ProofSoFar) =>
      soFar.second && (passes(soFar.first.levels) || isApproved(soFar)) ? soFar.second : soFar.first;
    const said = ({ tests }: ProofSoFar): Omit<Proven, 'proof' | 'moved' | 'lacked'> => ({
      tests,
      providedChanged,
      uncaptured,
      canAsk: how.dispute.canAsk,
    });
    const proven = await proveTree(subject, prepared, {
      ...how,
      flickering,
      atStart: (baseline?.levels ?? []).flatMap(({ checks }) => checks),
      ledger: baseline?.ledger ?? [],
      reported: basedOn(baseline?.tests ?? []),
      runLegs: (legs) => ranBoth(subject, legs, how),
      // Beside the checks, which take longer.
      rested: changedSurroundings(surroundings, subject, prepared, now),
      restedAfter: (legs) =>
        changedSurroundings(
          surroundings,
          subject,
          legs,
          surroundings ? surroundingsNow(subject, legs, surroundings) : null,
        ),
      stands: (soFar) => passes(withProof(ranIn(soFar).levels, { ...said(soFar), proof: soFar.proof, moved: false })),
      holdOut:
        exam &&
        ((trees, legs) => ranHeldOut(trees, legs, { ...how, heldOut: exam, before: baseline?.heldOut?.ran ?? [] })),
      hasMoved: async (legs) => !((await legs.isUntouched()) && (await how.captureAgain()) === subject.work),
    });
    if (proven === null) return null;
    const { first, second, held, moved } = proven;
    const proof = { ...proven.proof, ...(held ? { heldOut: held.recorded } : {}) };
    const lacked = await lackedByWork(proven, subject, { ...how, flickering });
    const checked = withProof(ranIn(proven).levels, { ...said(proven), proof, moved, lacked });
    const levels = held && exam ? withHeldOut(checked, { ...held, tells: exam.tells }) : checked;
    const verification = { passed: passes(levels), workspace: subject.work, levels, proof };
    const isOpen =
      obstacle !== null ||
      subject.prepare.length > 0 ||
      how.checks.some(({ network }) => network) ||
      [first, ...(second ? [second] : [])].some((leg) => hasFlickered(leg, flickering));
    rememberVerdict(how.verdicts, { state: await state(), verification, isOpen, moved });
    return verification;
  });
}
