import type { TurnContext } from '../../../../machines/turn.machine.ts';
import type { Room } from '../../../actors/model/full-window.ts';
import type { ModelRequest } from '../../../actors/model/model.ts';
import type { RunContext } from '../../../kernel/effect-handlers.ts';
import { lifeOf } from '../../../kernel/fold.ts';
import type { TurnMemory } from '../memory.ts';
import { recordedRequest } from '../request-record.ts';
import type { HandlerMemory } from '../../shared/handler-memory.ts';
import type { EffectServices } from '../../../ports/services.ts';

/** The request for the next answer of a conversation: a function of what is recorded. */
export const turnRequest = (
  { run, settings, state }: RunContext,
  { conversation }: Pick<HandlerMemory, 'conversation'>,
  toolSpecs: EffectServices['toolSpecs'],
): ModelRequest =>
  recordedRequest({
    run,
    settings,
    toolSpecs,
    messages: conversation?.messages() ?? [],
    maxSteps: lifeOf(state).limits.maxSteps,
    step: Math.max(0, (state.snapshot.context as TurnContext).steps - 1),
  });

/** What is known of the window's room for that request. */
export function roomIn({ judge }: Pick<HandlerMemory, 'judge'>): Room {
  const { inputTokens, isCounted } = judge.next;
  return { inputTokens, isCounted, learnedTokens: (judge.own as TurnMemory).window.tokens };
}
