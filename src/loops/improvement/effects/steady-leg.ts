import type { FlickeringTests } from '../../../../machines/recorded-proof.ts';
import type { CheckedTree, FindingsOf, Loss } from '../evaluation/head-losses.ts';
import { lostOnHead } from '../evaluation/head-losses.ts';
import type { PreparedLegs } from '../../../verification/prepare-legs.ts';
import { type CheckedHow, type RanTree, ranTree } from '../../../verification/check-tree.ts';

/** The most runs of one leg: two that lose the same are enough to refuse, and each may flicker elsewhere. */
const MAX_RUNS = 3;

/** How the checks of a candidate are compared with the head. */
export interface RelativeHow extends CheckedHow {
  readonly head: CheckedTree;
  readonly flickering: readonly FlickeringTests[];
  readonly findingsOf: FindingsOf;
}

/** A leg whose losses are no chance. */
export interface SteadyLeg {
  /** The last run of it. */
  readonly ran: RanTree;
  /** Lost in two runs. Empty: nothing is lost. */
  readonly lost: readonly Loss[];
  /** What failed once, and not again. */
  readonly flickered: readonly Loss[];
}

/**
 * Runs the checks on a tree, level by level, up to the first at which something is lost against the head. What is lost
 * is run again: only what is lost twice counts. Null: told to stop.
 */
export async function steadyLeg(
  leg: string,
  tree: string,
  legs: Pick<PreparedLegs, 'place' | 'prepare' | 'call'>,
  how: RelativeHow,
): Promise<SteadyLeg | null> {
  const lostIn = (candidate: CheckedTree) => lostOnHead({ ...how, candidate });
  const seen = new Map<string, Loss>();
  for (let run = 1; ; run += 1) {
    const ran = await ranTree(leg, tree, legs, { ...how, goesOn: (some) => lostIn(some).length === 0 });
    if (ran === null) return null;
    const losses = ran.prepared ? lostIn(ran) : unprepared(ran);
    const twice = losses.filter(({ key }) => seen.has(key));
    // After the last run all that was lost counts: what differs each time is not fit to pass.
    const lost = run === MAX_RUNS && losses.length > 0 ? losses : twice;
    for (const loss of losses) seen.set(loss.key, loss);
    if (lost.length > 0 || losses.length === 0) {
      const keys = new Set(lost.map(({ key }) => key));
      return { ran, lost, flickered: [...seen.values()].filter(({ key }) => !keys.has(key)) };
    }
  }
}

const unprepared = ({ levels, checks }: RanTree): readonly Loss[] =>
  checks
    .filter(({ passed }) => !passed)
    .map(({ name, output }) => ({
      level: levels[0]?.level ?? 'L0',
      check: name,
      key: JSON.stringify([name, 'prepare']),
      text: `${name}: ${output.trim().split('\n').at(-1) ?? ''}`,
    }));
