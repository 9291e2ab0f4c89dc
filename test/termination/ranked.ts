import type { LoopEvent } from '../../machines/events.ts';
import { shippedLoops } from '../../src/loops/index.ts';
import type { RunState } from '../../src/kernel/fold.ts';
import { definitionOf } from '../../src/kernel/loop-definition.ts';
import type { Ranking } from '../../src/kernel/loop-ranking.ts';
import { isExternal } from '../../src/termination/external.ts';
import { rankingOf, rankOf } from '../../src/termination/rank.ts';
import { type Passage, standstill } from '../../src/termination/standstill.ts';

// What the rankings of the loops that ship say of a state.

export const rankingIn = ({ entry }: RunState): Ranking => rankingOf(definitionOf(entry.id, shippedLoops));
export const rankIn = (state: RunState): number => rankOf(state, rankingIn(state));
export const isOutside = (event: LoopEvent, state: RunState): boolean => isExternal(event, rankingIn(state));
export const stoodStill = (passage: Passage): string | null => standstill(passage, rankingIn(passage.before));
