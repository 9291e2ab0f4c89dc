import type { JudgeMemory } from '../../../judging/judge-memory.ts';
import { callLoopEnd, strategyEnded } from '../../../judging/strategy-effects.ts';
import type { RunContext } from '../../../kernel/effect-handlers.ts';
import { lifeOf } from '../../../kernel/fold.ts';
import type { LoopDefinition } from '../../../kernel/loop-definition.ts';
import { finalResult } from '../../../strategies/final-result.ts';
import type { LoopEndEvent } from '../../../strategies/strategy.ts';
import { repeatableExecution } from './execution.ts';
import type { Effect, EffectWork } from '../effect.ts';
import type { EffectServices } from '../../../ports/effect-services.ts';

/** Calls `onLoopEnd` of the run's strategy, where the loop asks one and it has that method. */
const endStrategy = ({ strategyLimitMs }: Pick<EffectServices, 'strategyLimitMs'>): EffectWork => ({
  execute: ({ context, memory, strategy }) =>
    repeatableExecution(({ signal }) =>
      callLoopEnd(strategy, loopEnd(context, memory.loop), { signal, limitMs: strategyLimitMs }),
    ),
});

function loopEnd({ run, state, at }: RunContext, { rounds }: LoopDefinition): LoopEndEvent {
  const life = lifeOf(state);
  const { outcome, clockStart } = life;
  return {
    runId: run,
    totalIterations: rounds.count(life),
    finalResult: outcome ? finalResult(outcome) : 'error',
    ending: outcome?.ending ?? 'abort',
    elapsedMs: Math.max(0, Date.parse(at) - Date.parse(clockStart)),
  };
}

export const strategyEnd: Effect = {
  class: 'repeatable',
  interrupted: null,
  decide: (_, memory, { strategy }) =>
    (memory as JudgeMemory).loop.strategyInput && strategy.onLoopEnd ? null : strategyEnded(null, null),
  handler: endStrategy,
};
