import type { EventOf } from '../../../../machines/events.ts';
import type { HeldOutSettings } from '../../../../machines/settings.ts';
import { withHeldOut } from '../../../evidence/held-out.ts';
import type { LegsSubject } from '../../../verification/legs-subject.ts';
import { inProof } from '../../../verification/prepare-legs.ts';
import { type HeldOutTree, heldOutTrees, type RanHeldOut, ranHeldOut } from '../../../verification/run-held-out.ts';
import { type CheckedHow, passes } from '../../../verification/check-tree.ts';
import type { Baseline } from '../../../verification/work-proof.ts';
import type { Tier } from './candidate-tier.ts';

interface HeldOutHow extends Omit<CheckedHow, 'checks'> {
  readonly heldOut: HeldOutSettings;
  readonly baseline: Pick<Baseline, 'heldOut'>;
}

/** What the held-out checks said of a candidate, and what may be recorded of it. */
interface HeldOutTier {
  readonly tier: Tier;
  readonly ran: RanHeldOut;
}

/**
 * Runs the held-out checks on a candidate. What fails runs once more, and what failed on the head may go on failing.
 * Null: told to stop. Throws a `HeldOutChangedError`.
 */
export function heldOutTier(subject: LegsSubject, how: HeldOutHow): Promise<HeldOutTier | null> {
  return inProof(subject, how, async (legs) => {
    const { heldOut, baseline } = how;
    const on = (trees: readonly HeldOutTree[]) =>
      ranHeldOut(trees, legs, { ...how, before: baseline.heldOut?.ran ?? [] });
    const candidate = heldOutTrees(legs.plan, subject.work, false);
    const first = await on(candidate);
    const again = first?.failing.length ? await on(candidate) : first;
    if (!first || !again) return null;
    const twice = first.failing.filter(({ name }) => again.failing.some((one) => one.name === name));
    const isRed = twice.length > 0 && (baseline.heldOut?.failed ?? 0) > 0;
    const head = isRed ? await on([{ tree: subject.base, entries: legs.plan.base }]) : undefined;
    if (head === null) return null;
    const lost = twice.filter(({ name }) => !head?.failing.some((one) => one.name === name));
    const named = heldOut.tells === 'count' ? '' : `: ${lost.map(({ name }) => name).join(', ')}`;
    const isFlaky = first !== again && twice.length < first.failing.length;
    const tier: Tier = {
      tier: 'held-out',
      kind: 'held-out',
      passed: lost.length === 0,
      detail:
        lost.length > 0
          ? `held-out checks failed: ${lost.length} of ${heldOut.checks.length}${named}`
          : `${heldOut.checks.length - twice.length} of ${heldOut.checks.length} held-out checks pass`,
      // Their names are not for the agent.
      ...(isFlaky ? { flickered: [`${first.failing.length - twice.length} held-out checks`] } : {}),
    };
    return { tier, ran: again };
  });
}

type Verification = EventOf<'verification.completed'>['payload'];

/** What the checks said, with what the held-out ones did. */
export function withExam(verification: Verification, { ran }: HeldOutTier, { tells }: HeldOutSettings): Verification {
  const { proof } = verification;
  const levels = withHeldOut(verification.levels, { ...ran, tells });
  return {
    ...verification,
    levels,
    passed: passes(levels),
    ...(proof ? { proof: { ...proof, heldOut: ran.recorded } } : {}),
  };
}
