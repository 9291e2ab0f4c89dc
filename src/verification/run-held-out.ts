import type { CheckResult } from '../../machines/events.ts';
import type { RecordedHeldOut } from '../../machines/recorded-proof.ts';
import type { HeldOutSettings } from '../../machines/settings.ts';
import { HeldOutChangedError, heldOutFiles } from '../actors/proof/held-out-files.ts';
import { failingHeldOut, type HeldOutLeg, ranTests, replacedBy } from '../evidence/held-out.ts';
import type { NamedEntries } from './trees-by-path.ts';
import { CLOSED } from './openings.ts';
import type { PlannedLegs } from './plan-legs.ts';
import type { PreparedLegs } from './prepare-legs.ts';
import { type CheckedHow, ranTree } from './check-tree.ts';

/** A tree that held-out checks run on. */
export interface HeldOutTree {
  readonly tree: string;
  readonly entries: NamedEntries;
}

interface HeldOutHow extends Omit<CheckedHow, 'checks' | 'delta'> {
  readonly heldOut: HeldOutSettings;
  /** How many tests each check ran on the base, by its place. */
  readonly before: readonly (number | null)[];
}

export interface RanHeldOut {
  readonly recorded: RecordedHeldOut;
  readonly failing: readonly CheckResult[];
  readonly tests: HeldOutLeg['tests'];
}

/**
 * The work with the grounds of its base, where its own configuration has no say in the checks, and the work as it is,
 * which is what the person gets. Where a person let its changes of grounds count, only that.
 */
export const heldOutTrees = (plan: PlannedLegs, work: string, isApproved: boolean): readonly HeldOutTree[] => {
  const [first, whole] = plan.trees;
  const asItIs = { tree: work, entries: whole };
  return isApproved || plan.first === work ? [asItIs] : [{ tree: plan.first, entries: first }, asItIs];
};

/**
 * Runs the held-out checks with their files on the trees, up to the first on which one fails. Null: told to stop.
 * Throws a `HeldOutChangedError` where the files are not those of the start.
 */
export async function ranHeldOut(
  trees: readonly HeldOutTree[],
  legs: Pick<PreparedLegs, 'place' | 'prepare' | 'call'>,
  { heldOut, before, ...how }: HeldOutHow,
): Promise<RanHeldOut | null> {
  const { from, digest, checks } = heldOut;
  const found = await heldOutFiles(from);
  if (found.kind === 'refused' || found.digest !== digest) throw new HeldOutChangedError(from);
  const names = checks.map(({ name }) => name);
  const paths = found.files.map(({ path }) => path);
  let replaced = 0;
  let last: RanHeldOut | null = null;
  for (const [index, { tree, entries }] of trees.entries()) {
    // What they print is not for the agent, which may see what is streamed.
    const quiet = { ...how, checks, runsAll: true, delta: () => {} };
    const leg = await ranTree(`held-out-${index}`, tree, legs, quiet, { ...CLOSED, over: found });
    if (leg === null) return null;
    const failing = failingHeldOut(names, leg, before);
    replaced = Math.max(replaced, replacedBy(paths, entries).length);
    last = {
      recorded: { checks: checks.length, failed: failing.length, ran: ranTests(names, leg), replaced },
      failing,
      tests: leg.tests,
    };
    if (failing.length > 0) break;
  }
  return last;
}
