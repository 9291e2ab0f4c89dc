import type { CompactionInput } from '../../../actors/model/compaction-actor.ts';
import { leftFor } from '../../../budget/allowance.ts';
import { lifeOf } from '../../../kernel/fold.ts';
import type { TurnMemory } from '../../../loops/turn/memory.ts';
import type { ToolServices } from '../services/tool-services.ts';
import type { EffectRequest } from './local-effect.ts';
import { roomIn, turnRequest } from './turn-request.ts';

/**
 * The summary of a conversation that has grown too long. The reservation of the answer that waits for it is used: no
 * model is asked at the same time.
 */
export function conversationSummary(
  { context, memory }: EffectRequest,
  toolSpecs: ToolServices['toolSpecs'],
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
