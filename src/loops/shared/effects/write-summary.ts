import type { CompactionInput } from '../../../actors/model/compaction-actor.ts';
import { leftFor } from '../../../budget/allowance.ts';
import { lifeOf } from '../../../kernel/fold.ts';
import { roomIn, turnRequest } from '../../turn/effects/turn-request.ts';
import type { TurnMemory } from '../../turn/memory.ts';
import { endingSummary } from './ending-summary.ts';
import { actorExecution } from './execution.ts';
import { type Effect, type EffectRequest, type EffectWork, lossOf } from '../effect.ts';
import { isSummedUp, summaryRequest } from './summary-request.ts';
import type { EffectServices } from '../../../ports/services.ts';
import type { JudgeMemory } from '../../../judging/judge-memory.ts';

/** The key of the summary at the end of a run: any other is of a conversation that goes on. */
const AT_THE_END = 'summary';

/**
 * Sums a run up when it ends, or a conversation that has grown too long. A sentence made of figures is decided at
 * once; a model is asked where tokens were reserved for that.
 */
const writeSummary = ({ summaries, toolSpecs }: Pick<EffectServices, 'summaries' | 'toolSpecs'>): EffectWork => ({
  execute: (request) => {
    const { effect, context, memory } = request;
    const { ofRun, ofConversation } = summaries(memory.replacement ?? context.settings.model);
    return effect.key === AT_THE_END
      ? actorExecution(ofRun, summaryRequest(context, memory))
      : actorExecution(ofConversation, conversationSummary(request, toolSpecs));
  },
});

/** The summary at the end of a run may be lost; a compaction in the middle of a conversation may not. */
export const summary: Effect = {
  class: 'repeatable',
  interrupted: ({ key }, how) => (key === 'compaction' ? lossOf('compaction', how) : null),
  decide: (context, memory, { effect }) => {
    if (effect.key !== AT_THE_END || isSummedUp(context)) return null;
    return { type: 'summary.written', payload: { text: endingSummary(context, (memory as JudgeMemory).loop) } };
  },
  handler: writeSummary,
};

/**
 * The summary of a conversation that has grown too long. The reservation of the answer that waits for it is used: no
 * model is asked at the same time.
 */
function conversationSummary(
  { context, memory }: EffectRequest,
  toolSpecs: EffectServices['toolSpecs'],
): CompactionInput {
  const { inputTokens, isCounted } = memory.judge.next;
  return {
    request: turnRequest(context, memory, toolSpecs),
    task: memory.conversation?.task?.() ?? 0,
    room: roomIn(memory),
    allowance: { ...leftFor(lifeOf(context.state), 'model'), inputTokens, isCounted },
    keepsRecent: (memory.judge.own as TurnMemory).window.fillings <= 1,
    steering: memory.steering,
  };
}
