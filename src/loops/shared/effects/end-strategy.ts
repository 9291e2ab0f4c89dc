import type { JudgeMemory } from '../../../judging/judge-memory.ts';
import { callLoopEnd, strategyEnded } from '../../../judging/strategy-effects.ts';
import type { RunContext } from '../../../kernel/effect-handlers.ts';
import { lifeOf } from '../../../kernel/fold.ts';
import type { LoopDefinition } from '../../../kernel/loop-definition.ts';
import { finalResult } from '../../../strategies/final-result.ts';
import type { LoopEndEvent, LoopStrategy } from '../../../strategies/strategy.ts';
import { repeatableExecution } from './execution.ts';
import { hooksAtEnd, withHooksAtEnd } from './hooks-at-end.ts';
import type { Effect, EffectWork } from '../effect.ts';
import type { EffectServices } from '../../../ports/effect-services.ts';

/** Tells the strategy of the end, where the loop asks one and it has `onLoopEnd`, and after it the hooks. */
const endStrategy = ({ strategyLimitMs }: Pick<EffectServices, 'strategyLimitMs'>): EffectWork => ({
  execute: ({ context, memory, strategy }) =>
    repeatableExecution(({ signal }) => {
      const ended = asksStrategy(memory.loop, strategy)
        ? callLoopEnd(strategy, loopEnd(context, memory.loop), { signal, limitMs: strategyLimitMs })
        : [strategyEnded(null, null)];
      return withHooksAtEnd(ended, { context, answer: memory.answer(), signal });
    }),
});

const asksStrategy = ({ strategyInput }: LoopDefinition, { onLoopEnd }: LoopStrategy): boolean =>
  strategyInput !== undefined && onLoopEnd !== undefined;

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
  decide: ({ settings }, memory, { strategy }) =>
    asksStrategy((memory as JudgeMemory).loop, strategy) || hooksAtEnd(settings).length > 0
      ? null
      : strategyEnded(null, null),
  handler: endStrategy,
};
