import type { EventOf, LoopEvent } from '../../../../machines/events.ts';
import { judged, judgedSlowly } from '../../../judging/judgement.ts';
import type { TimeLimit } from '../../../judging/strategy-effects.ts';
import type { Decision } from '../../../kernel/decision.ts';
import type { StrategyServices } from '../services/strategy-services.ts';
import { repeatableExecution } from './execution.ts';
import type { EffectRequest, LocalEffect } from './local-effect.ts';

/**
 * Asks the loop's judge whether the run continues. A built-in strategy is pure, so the judge decides at once; a custom
 * strategy runs outside the transaction, and its answer counts only once it is recorded.
 */
export const askJudge = ({ strategyLimitMs }: Pick<StrategyServices, 'strategyLimitMs'>): LocalEffect => ({
  decide: ({ context, memory, strategy }) => {
    const decision = judged(context, memory.judge, strategy);
    return decision && decided(decision);
  },
  execute: (request) => repeatableExecution(({ signal }) => judgeSlowly(request, { signal, limitMs: strategyLimitMs })),
});

async function* judgeSlowly(
  { context, memory, strategy }: EffectRequest,
  waiting: TimeLimit,
): AsyncIterable<LoopEvent> {
  const decision = await judgedSlowly(context, memory.judge, strategy, waiting);
  if (decision) yield decided(decision);
}

const decided = (payload: Decision): EventOf<'decision.made'> => ({ type: 'decision.made', payload });
