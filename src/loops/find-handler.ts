import { specOf } from '../kernel/loop-definition.ts';
import { shippedLoops } from './index.ts';
import type { Effect, EffectRequest, EffectWork } from './shared/effect.ts';
import { askPerson } from './shared/effects/ask-person.ts';
import { ownEffect } from './shared/effects/own-effect.ts';
import { runChild } from './shared/effects/run-child.ts';
import type { EffectServices } from '../ports/services.ts';

/** The effects of all loops that ship, by name: a loop of one's own may describe one of them anew. */
const known: Readonly<Record<string, Effect>> = Object.assign({}, ...shippedLoops.map(({ effects }) => effects));

/**
 * Finds the handler of an effect by the loop's definition: its own, or that of a loop that ships. Child runs and
 * questions to a person need none.
 */
export function effectHandlers(services: EffectServices): (request: EffectRequest) => EffectWork {
  const made = new Map<string, EffectWork>();
  const workOf = (name: string, spec: Effect): EffectWork => {
    const work = made.get(name) ?? handlerOf(name, spec)?.(services) ?? {};
    made.set(name, work);
    return work;
  };
  return ({ effect: { actor }, memory: { loop } }) => {
    const spec = specOf({ actor }, loop) as Effect;
    const own = spec.class === 'child' ? undefined : loop.handlers?.[actor];
    return own ? ownEffect(own, services) : workOf(actor, spec);
  };
}

function handlerOf(name: string, { handler, class: effectClass, asksPerson }: Effect): Effect['handler'] {
  if (handler) return handler;
  if (effectClass === 'child') return runChild;
  return asksPerson ? askPerson : known[name]?.handler;
}
