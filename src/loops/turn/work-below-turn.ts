import type { Limits, RunSettings } from '../../../machines/settings.ts';
import { MAX_CALLS_A_STEP } from '../../../machines/turn.machine.ts';
import { MAX_HANDOFF_LEVELS } from '../../budget/fair-shares.ts';
import { lifeOf, type RunState } from '../../kernel/fold.ts';
import { type Below, type Left, sumOf } from '../../kernel/loop-ranking.ts';
import { lifeLeft } from '../../termination/life-left.ts';

/** The tool by which a model delegates work. */
const DELEGATE_TOOL = 'delegate';

type Begun = (settings: RunSettings) => RunState;

/**
 * Bounds a turn and the runs that its model may delegate to. `left`: the events that a run can still take in a state.
 */
export function belowTurn(settings: RunSettings, begun: Begun, left: (state: RunState) => Left): Below {
  const { tools, limits } = settings;
  const events = sumOf(left(begun(settings)));
  if (!tools.includes(DELEGATE_TOOL) || limits.maxSteps === 0) return { kind: 'in all', runs: 1, events };
  const { steps, calls } = sharedAmong(limits);
  const all = begun({
    ...settings,
    limits: { ...limits, maxSteps: steps, maxToolCalls: calls, maxTokens: null, maxTimeMs: null },
  });
  // Each delegate has events of its own for its start and its end.
  const ofEach = 1 + sumOf(lifeLeft(lifeOf(all), 0));
  return { kind: 'in all', runs: 1 + calls, events: sumOf(left(all)) + calls * ofEach };
}

/** The most steps and calls of a turn and its delegates together. Each delegate costs a call. */
interface Shared {
  readonly steps: number;
  readonly calls: number;
}

/**
 * The steps and calls of delegates are shares of the turn's own, so their sum never exceeds it. Tokens are shared too,
 * but usage may be reported as 0: then each level can use all of them again. Time applies to each worker separately,
 * and each worker costs a call.
 */
function sharedAmong({ maxSteps, maxToolCalls, maxTokens, maxTimeMs }: Limits): Shared {
  const bounds = [
    maxSteps ?? Infinity,
    maxTokens === null ? Infinity : maxTokens * (MAX_HANDOFF_LEVELS + 1),
    maxSteps === null && maxTokens === null && maxTimeMs !== null
      ? maxTimeMs * workers(maxTimeMs, maxToolCalls)
      : Infinity,
  ];
  const steps = Math.max(1, Math.min(...bounds));
  return { steps, calls: maxToolCalls ?? steps * MAX_CALLS_A_STEP };
}

function workers(steps: number, calls: number | null): number {
  if (calls !== null) return 1 + calls;
  const ofOne = Math.max(1, steps) * MAX_CALLS_A_STEP;
  return Array.from({ length: MAX_HANDOFF_LEVELS + 1 }, (_, level) => ofOne ** level).reduce(
    (sum, many) => sum + many,
    0,
  );
}
