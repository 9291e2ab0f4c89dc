// A verification, in order. The start is what the run began with: its checks ran before any work (taken-baseline.ts).
// 1. Prepare a checkout, and plan two trees: the work with the grounds of the start, and the work (prepared-legs.ts).
// 2. Stop where the same work has failed before, and nothing else has changed (earlier-verdict.ts).
// 3. First leg: the checks on the work with the grounds of the start, or again with changes that are allowed
//    (ran-both.ts). Second leg: the checks on the work as it is, where the first passes or fails in tests alone.
// 4. Compare the tests of both with those of the start, by name. A person decides where changed grounds do
//    (compared-work.ts, disputed-work.ts).
// 5. Where that stands: tests that must fail (ran-control.ts), then held-out checks (ran-held-out.ts).
// 6. Capture the workspace again: it has to be what was checked. Record what the verdict rests on (work-proof.ts).
// `loopfold prove` does 1, 3, 4 and 5 after a run has ended (ran-legs.ts). In logs the first leg is called `base`, and
// the second `work`; `base` as the hash of a tree is the start.
import type { EventOf, LeftOut } from '../../../../machines/events.ts';
import type { HeldOutSettings } from '../../../../machines/settings.ts';
import { basedOn } from '../../../evidence/base-tests.ts';
import { hasFlickered, knownFlickering } from '../../../evidence/flickering.ts';
import { withHeldOut } from '../../../evidence/held-out.ts';
import { withProof } from '../../../evidence/proof-feedback.ts';
import { type ComparedHow, comparedWork } from './compared-work.ts';
import { type EarlierVerdicts, rememberVerdict, repeatedVerdict } from './earlier-verdict.ts';
import { inProof, type LegsSubject } from './prepared-legs.ts';
import { ranBoth } from './ran-both.ts';
import { ranControl } from './ran-control.ts';
import { heldOutTrees, ranHeldOut } from './ran-held-out.ts';
import { changedSurroundings, surroundingsNow } from './surroundings.ts';
import { type CheckedHow, passes } from './ran-tree.ts';
import { type Baseline, workProof } from './work-proof.ts';

type Verification = EventOf<'verification.completed'>['payload'];

interface WorkHow extends CheckedHow, Pick<ComparedHow, 'disputes' | 'canAsk'> {
  /** How the checks went on the base. Null: they did not run on it. */
  readonly baseline: Baseline | null;
  /** Files that the run has written, and that its captures lack. */
  readonly uncaptured: readonly LeftOut[];
  /** The workspace as it is now: the hash of its tree, by no cache. */
  readonly captureAgain: () => Promise<string | null>;
  readonly heldOut: HeldOutSettings | undefined;
  /** What this process has found of the run so far. */
  readonly verdicts: EarlierVerdicts;
}

/**
 * The checks on the work: with the grounds of its base, and where they pass or fail in tests alone, as it is. Nothing
 * passes where a test of the base is lost, unless a person approved it, where the work is a base that passed before, or
 * where the workspace is another one afterwards.
 * Null: told to stop. Throws a `GitError`.
 */
export function verifiedWork(subject: LegsSubject, how: WorkHow): Promise<Verification | null> {
  return inProof(subject, how, async (prepared) => {
    const { providedChanged, obstacle } = prepared;
    const { surroundings } = how.baseline ?? {};
    // Beside the checks, which take longer.
    const now = surroundings ? surroundingsNow(subject, prepared) : null;
    const state = async () => now && JSON.stringify([await now, providedChanged, how.uncaptured, how.disputes.ruling]);
    const repeated = await repeatedVerdict(how.verdicts, subject.work, state);
    if (repeated) return repeated;
    const rested = changedSurroundings(surroundings, subject, prepared, now);
    const both = await ranBoth(subject, prepared, how);
    if (both === null) return null;
    const { legs, first, second, lenient } = both;
    const flickering = how.baseline ? knownFlickering(how.baseline) : [];
    const { start, tests, dispute, testsInSources } = await comparedWork(both, subject, {
      ...how,
      reported: basedOn(how.baseline?.tests ?? []),
      flickering,
    });
    const own = { rested: await rested, testsInSources };
    const proof = workProof({ subject, legs, how, first, second, tests, dispute, lenient, ...own });
    const { levels: ran } = second && (passes(first.levels) || dispute?.is === 'approved') ? second : first;
    const judged = { tests, providedChanged, uncaptured: how.uncaptured, moved: false, canAsk: how.canAsk };
    const stands = passes(withProof(ran, { ...judged, proof }));
    const isControlled = stands && subject.asked?.control !== 'off';
    const control = isControlled ? await ranControl(legs, { ...how, tests, start }) : undefined;
    if (control === null) return null;
    const { heldOut: exam } = how;
    // Last, so that it is asked about work alone that the checks which the agent can run do not refuse.
    const held =
      exam && stands && !control?.broken.length
        ? await ranHeldOut(heldOutTrees(legs.plan, subject.work, dispute?.is === 'approved'), legs, {
            ...how,
            heldOut: exam,
            before: how.baseline?.heldOut?.ran ?? [],
          })
        : undefined;
    if (held === null) return null;
    const moved = stands && !((await legs.isUntouched()) && (await how.captureAgain()) === subject.work);
    const whole: typeof proof = {
      ...proof,
      // Whatever has changed meanwhile, too.
      ...(stands
        ? await changedSurroundings(surroundings, subject, legs, surroundings ? surroundingsNow(subject, legs) : null)
        : {}),
      ...(control ? { control } : {}),
      ...(held ? { heldOut: held.recorded } : {}),
    };
    const checked = withProof(ran, { ...judged, proof: whole, moved });
    const levels = held && exam ? withHeldOut(checked, { ...held, tells: exam.tells }) : checked;
    const verification = { passed: passes(levels), workspace: subject.work, levels, proof: whole };
    const isOpen =
      obstacle !== null ||
      subject.prepare.length > 0 ||
      how.checks.some(({ network }) => network) ||
      [first, ...(second ? [second] : [])].some((leg) => hasFlickered(leg, flickering));
    rememberVerdict(how.verdicts, { state: await state(), verification, isOpen, moved });
    return verification;
  });
}
