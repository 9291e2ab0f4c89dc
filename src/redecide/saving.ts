import { tokensOf } from '../budget/limit-use.ts';
import { lifeOf, type RunState } from '../kernel/fold.ts';
import type { Rounds } from '../kernel/loop-ranking.ts';

/** What a run would have saved by an earlier end: the usage that the log counts after that point. */
export interface Saving {
  readonly iterations: number;
  readonly steps: number;
  readonly toolCalls: number;
  readonly tokens: number;
  /** Billionths of a US dollar, as far as prices are known. */
  readonly costNanoUsd: number;
  /** Wall time, without the spans that do not count. */
  readonly timeMs: number;
}

export const NOTHING_SAVED: Saving = { iterations: 0, steps: 0, toolCalls: 0, tokens: 0, costNanoUsd: 0, timeMs: 0 };

/** The usage of a run up to a state, in the same terms. */
export function usedAt(state: RunState, { count, limit }: Rounds): Saving {
  const life = lifeOf(state);
  const { spend, clockStart } = life;
  return {
    iterations: limit === 'iterations' ? count(life) : 0,
    steps: spend.steps,
    toolCalls: spend.toolCalls,
    tokens: tokensOf(spend),
    costNanoUsd: spend.costNanoUsd ?? 0,
    timeMs: Math.max(0, Date.parse(state.at) - Date.parse(clockStart)),
  };
}

export const addSaving = (one: Saving, other: Saving): Saving => combined(one, other, 1);

/** The usage between two points of a run. */
export const between = (early: Saving, late: Saving): Saving => combined(late, early, -1);

const combined = (one: Saving, other: Saving, sign: 1 | -1): Saving => ({
  iterations: one.iterations + sign * other.iterations,
  steps: one.steps + sign * other.steps,
  toolCalls: one.toolCalls + sign * other.toolCalls,
  tokens: one.tokens + sign * other.tokens,
  costNanoUsd: one.costNanoUsd + sign * other.costNanoUsd,
  timeMs: one.timeMs + sign * other.timeMs,
});
