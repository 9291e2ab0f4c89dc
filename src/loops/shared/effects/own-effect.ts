import { lifeOf } from '../../../kernel/fold.ts';
import { specOf } from '../../../kernel/loop-definition.ts';
import type { EffectHandler } from '../../../kernel/effect-spec.ts';
import { askModel } from './ask-model.ts';
import { handlerAnswers } from './handler-answers.ts';
import type { EffectWork } from '../effect.ts';
import type { EffectServices } from '../../../ports/effect-services.ts';

/** An effect of a loop's own, carried out by the handler that came with the loop. */
export const ownEffect = (handler: EffectHandler, models: Pick<EffectServices, 'ask'>): EffectWork => ({
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
          handler({ ...input, ask: (question) => askModel(question, request, models, call) }, call),
          request,
          call.signal,
        ),
    };
  },
});
