import type { Share } from '../../../../machines/events.ts';
import type { EffectCall } from '../../../actors/actor.ts';
import type { Said } from '../../../actors/model/ask-within.ts';
import type { ModelRequest } from '../../../actors/model/model.ts';
import { leftFor } from '../../../budget/allowance.ts';
import { estimatedTokens } from '../../../budget/message-length.ts';
import { lifeOf } from '../../../kernel/fold.ts';
import { parametersIn } from '../../turn/request-record.ts';
import type { Question } from '../../../kernel/effect-spec.ts';
import type { EffectRequest } from '../effect.ts';
import type { EffectServices } from '../../../ports/services.ts';

/** What an effect may use: its reservation, or, without one, all that is left. Null is unlimited. */
export function shareOf({ effect, context }: EffectRequest): Share {
  const life = lifeOf(context.state);
  return life.reserved[effect.key] ?? leftFor(life, effect.key);
}

/**
 * Asks a model one thing within a share. A scripted model finds its answer by the round of the request. What it says
 * while it answers is no output of the run.
 */
export function askModel(
  { prompt, system, model }: Question,
  request: EffectRequest,
  models: Pick<EffectServices, 'ask'>,
  call: EffectCall,
  { tokens, nanoUsd }: Share = shareOf(request),
): Promise<Said> {
  const { context, memory } = request;
  const { run, settings, state } = context;
  const asked: ModelRequest = {
    run,
    system: system ?? null,
    messages: [{ role: 'user', text: prompt }],
    tools: [],
    // What one model is told of effort and temperature is not for another.
    ...(model === undefined || model === settings.model ? parametersIn(settings) : {}),
    step: 0,
    iteration: Math.max(0, memory.loop.rounds.count(lifeOf(state)) - 1),
  };
  const inputTokens = estimatedTokens(prompt.length + (system?.length ?? 0));
  return models.ask(model ?? settings.model, asked, { tokens, nanoUsd, inputTokens, isCounted: true }, call);
}
