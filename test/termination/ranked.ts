import type { LoopEvent } from '../../machines/events.ts';
import { shippedLoops } from '../../src/loops/index.ts';
import type { RunState } from '../../src/kernel/fold.ts';
import { definitionOf } from '../../src/kernel/loop-definition.ts';
import type { Left, Ranking } from '../../src/kernel/loop-ranking.ts';
import { isExternal } from '../../src/termination/life-left.ts';
import { rankingOf, rankOf } from '../../src/termination/bound.ts';
import { type Passage, standstill } from '../../src/termination/standstill.ts';

// What the rankings of the loops that ship say of a state.

const known = new Map<string, Ranking>();

export function rankingIn({ entry }: RunState): Ranking {
  const ranking = known.get(entry.id) ?? workedOutOnce(rankingOf(definitionOf(entry.id, shippedLoops)));
  known.set(entry.id, ranking);
  return ranking;
}

/** Every event of a state is compared with what is left in it, and so is each transition of the event. */
function workedOutOnce(ranking: Ranking): Ranking {
  const lefts = new WeakMap<RunState, Left>();
  const left = (state: RunState): Left => {
    const all = lefts.get(state) ?? ranking.left(state);
    lefts.set(state, all);
    return all;
  };
  return { ...ranking, left };
}

export const rankIn = (state: RunState): number => rankOf(state, rankingIn(state));
export const isOutside = (event: LoopEvent, state: RunState): boolean => isExternal(event, rankingIn(state));
export const stoodStill = (passage: Passage): string | null => standstill(passage, rankingIn(passage.before));
