import type { AnyEvent, LoopEvent } from '../../../machines/events.ts';
import type { EffectCall, EffectClass } from '../../actors/actor.ts';
import type { Said } from '../../actors/model/ask-within.ts';
import type { ModelRequest } from '../../actors/model/model.ts';
import { leftFor } from '../../budget/allowance.ts';
import { estimatedTokens } from '../../budget/estimated-tokens.ts';
import type { Performance, Situation } from '../../runtime/cast.ts';
import { lifeOf, type Outstanding } from '../../runtime/fold.ts';
import type { EffectHandler, Question } from '../../runtime/loop-definition.ts';
import type { Memory } from './memory.ts';
import type { Troupe } from './troupe.ts';

interface OwnEffect {
  readonly effect: Outstanding;
  readonly effectClass: EffectClass | 'by input';
  readonly situation: Situation;
  readonly memory: Memory;
  readonly troupe: Pick<Troupe, 'ask'>;
}

/** How an effect of a loop's own is performed: by the handler that came with the loop. */
export function ownPerformance(handler: EffectHandler, own: OwnEffect): Performance {
  const { effect, effectClass, situation: { run, settings, state }, memory } = own;
  const input = { run, settings, input: effect.input, context: lifeOf(state), answer: memory.answer() };
  return {
    kind: 'actor',
    // A handler cannot be asked whether something has happened: only what may be repeated is.
    effectClass: effectClass === 'repeatable' ? 'repeatable' : 'once',
    perform: (call) => events(handler({ ...input, ask: (question) => asked(question, own, call) }, call)),
  };
}

/** A scripted model finds its answer by the round that it is asked in. */
function asked({ prompt, system, model }: Question, { effect, situation, memory, troupe }: OwnEffect, call: EffectCall): Promise<Said> {
  const { run, settings, state } = situation;
  const life = lifeOf(state);
  const iteration = Math.max(0, memory.loop.rounds.count(life) - 1);
  const request: ModelRequest = { run, system: system ?? null, messages: [{ role: 'user', text: prompt }], tools: [], step: 0, iteration };
  const { tokens, nanoUsd } = life.reserved[effect.key] ?? leftFor(life, effect.key);
  const inputTokens = estimatedTokens(prompt.length + (system?.length ?? 0));
  return troupe.ask(model ?? settings.model, request, { tokens, nanoUsd, inputTokens, isCounted: true }, call);
}

/** Parsed by the vocabulary of its loop before anything of it is recorded. */
async function* events(said: ReturnType<EffectHandler>): AsyncIterable<LoopEvent> {
  if (isIterable(said)) for await (const event of said) yield event as LoopEvent;
  else yield (await said) as LoopEvent;
}

const isIterable = (said: ReturnType<EffectHandler>): said is AsyncIterable<AnyEvent> => Symbol.asyncIterator in said;
