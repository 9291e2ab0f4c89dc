import type { Limits, RunSettings } from '../../../machines/settings.ts';
import { MAX_CALLS_A_STEP } from '../../../machines/turn.machine.ts';
import { MAX_HANDOFF_LEVELS } from '../../budget/fair-shares.ts';
import { lifeOf, type RunState } from '../../runtime/fold.ts';
import { type Below, type Left, sumOf } from '../../runtime/ranking.ts';
import { lifeLeft } from '../../termination/remaining.ts';

/** The tool by which a model hands work over. */
const HANDS_OVER = 'delegate';

type Begun = (settings: RunSettings) => RunState;

/** A turn whose model hands work over, with all who do it. `left`: what is left of a run in some state. */
export function belowTurn(settings: RunSettings, begun: Begun, left: (state: RunState) => Left): Below {
  const { tools, limits } = settings;
  const events = sumOf(left(begun(settings)));
  if (!tools.includes(HANDS_OVER) || limits.maxSteps === 0) return { kind: 'in all', runs: 1, events };
  const { steps, calls } = sharedAmong(limits);
  const all = begun({ ...settings, limits: { ...limits, maxSteps: steps, maxToolCalls: calls, maxTokens: null, maxTimeMs: null } });
  // Each opens and ends for itself.
  const ofEach = 1 + sumOf(lifeLeft(lifeOf(all), 0));
  return { kind: 'in all', runs: 1 + calls, events: sumOf(left(all)) + calls * ofEach };
}

/** What a turn and all who work for it can come to at most. Each of them costs a call. */
interface Shared {
  readonly steps: number;
  readonly calls: number;
}

/**
 * Steps and calls of those who work for a turn come out of its own, as shares: together they are never more. Tokens are
 * shared too, but work may be said to use none: then each level can use all of them once more. Time is for each who works,
 * and work costs a call.
 */
function sharedAmong({ maxSteps, maxToolCalls, maxTokens, maxTimeMs }: Limits): Shared {
  const bounds = [
    maxSteps ?? Infinity,
    maxTokens === null ? Infinity : maxTokens * (MAX_HANDOFF_LEVELS + 1),
    maxSteps === null && maxTokens === null && maxTimeMs !== null ? maxTimeMs * workers(maxTimeMs, maxToolCalls) : Infinity,
  ];
  const steps = Math.max(1, Math.min(...bounds));
  return { steps, calls: maxToolCalls ?? steps * MAX_CALLS_A_STEP };
}

function workers(steps: number, calls: number | null): number {
  if (calls !== null) return 1 + calls;
  const ofOne = Math.max(1, steps) * MAX_CALLS_A_STEP;
  return Array.from({ length: MAX_HANDOFF_LEVELS + 1 }, (_, level) => ofOne ** level).reduce((sum, many) => sum + many, 0);
}
