import type { EffectCall } from '../../../actors/actor.ts';
import type { Said } from '../../../actors/model/ask-within.ts';
import type { ModelRequest } from '../../../actors/model/model.ts';
import { leftFor } from '../../../budget/allowance.ts';
import { estimatedTokens } from '../../../budget/estimated-tokens.ts';
import { lifeOf } from '../../../kernel/fold.ts';
import { specOf } from '../../../kernel/loop-definition.ts';
import { parametersIn } from '../../../loops/turn/request-parameters.ts';
import type { EffectHandler, Question } from '../../../kernel/effect-spec.ts';
import type { ModelServices } from '../services/model-services.ts';
import { handlerAnswers } from './handler-answers.ts';
import type { EffectRequest, LocalEffect } from './local-effect.ts';

/** An effect of a loop's own, carried out by the handler that came with the loop. */
export const ownEffect = (handler: EffectHandler, models: Pick<ModelServices, 'ask'>): LocalEffect => ({
  execute: (request) => {
    const {
      effect,
      context: { run, settings, state },
      memory,
    } = request;
    const input = { run, settings, input: effect.input, context: lifeOf(state), answer: memory.answer() };
    return {
      kind: 'actor',
      // A handler cannot be asked whether something has happened, so every other class counts as `once`.
      effectClass: specOf(effect, memory.loop).class === 'repeatable' ? 'repeatable' : 'once',
      execute: (call) =>
        handlerAnswers(
          handler({ ...input, ask: (question) => answerTo(question, request, models, call) }, call),
          request,
          call.signal,
        ),
    };
  },
});

/** Asks a model within the effect's reservation. A scripted model finds its answer by the round of the request. */
function answerTo(
  { prompt, system, model }: Question,
  { effect, context, memory }: EffectRequest,
  models: Pick<ModelServices, 'ask'>,
  call: EffectCall,
): Promise<Said> {
  const { run, settings, state } = context;
  const life = lifeOf(state);
  const iteration = Math.max(0, memory.loop.rounds.count(life) - 1);
  const request: ModelRequest = {
    run,
    system: system ?? null,
    messages: [{ role: 'user', text: prompt }],
    tools: [],
    ...parametersIn(settings),
    step: 0,
    iteration,
  };
  const { tokens, nanoUsd } = life.reserved[effect.key] ?? leftFor(life, effect.key);
  const inputTokens = estimatedTokens(prompt.length + (system?.length ?? 0));
  return models.ask(model ?? settings.model, request, { tokens, nanoUsd, inputTokens, isCounted: true }, call);
}
