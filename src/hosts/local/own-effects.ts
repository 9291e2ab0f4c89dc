import type { AnyEvent, LoopEvent } from '../../../machines/events.ts';
import type { EffectClass } from '../../actors/actor.ts';
import type { Performance, Situation } from '../../runtime/cast.ts';
import { lifeOf, type Outstanding } from '../../runtime/fold.ts';
import type { EffectHandler } from '../../runtime/loop-definition.ts';
import type { Memory } from './memory.ts';

interface OwnEffect {
  readonly effect: Outstanding;
  readonly effectClass: EffectClass | 'by input';
  readonly situation: Situation;
  readonly memory: Memory;
}

/** How an effect of a loop's own is performed: by the handler that came with the loop. */
export function ownPerformance(handler: EffectHandler, { effect, effectClass, situation, memory }: OwnEffect): Performance {
  const { run, settings, state } = situation;
  const input = { run, settings, input: effect.input, context: lifeOf(state), answer: memory.answer() };
  return {
    kind: 'actor',
    // A handler says nothing of its class: what its effect has not declared is never repeated.
    effectClass: effectClass === 'by input' ? 'once' : effectClass,
    perform: (call) => events(handler(input, call)),
  };
}

/** Parsed by the vocabulary of its loop before anything of it is recorded. */
async function* events(said: ReturnType<EffectHandler>): AsyncIterable<LoopEvent> {
  if (isIterable(said)) for await (const event of said) yield event as LoopEvent;
  else yield (await said) as LoopEvent;
}

const isIterable = (said: ReturnType<EffectHandler>): said is AsyncIterable<AnyEvent> => Symbol.asyncIterator in said;
