import type { LoopEvent } from '../../../../machines/events.ts';
import { specOf } from '../../../kernel/loop-definition.ts';
import type { Services } from '../services.ts';
import { askPerson } from './ask-person.ts';
import { effectTable } from './effect-table.ts';
import type { EffectRequest, LocalEffect } from './local-effect.ts';
import { ownEffect } from './own-effect.ts';
import { runChild } from './run-child.ts';

/**
 * Finds the handler of an effect. The loop's definition says which effects are child runs, questions to a person, or
 * carried out by a handler of its own; the table has all others.
 */
export function effectHandlers(services: Services): (request: EffectRequest) => LocalEffect {
  const table: Readonly<Record<string, LocalEffect>> = effectTable(services);
  const child = runChild(services);
  const person = askPerson(services);
  return ({ effect, memory: { loop } }) => {
    const spec = specOf(effect, loop);
    const shared = table[effect.actor];
    const decide = shared?.decide ?? decideByDefinition;
    const own = loop.handlers?.[effect.actor];
    if (spec.class === 'child') return { ...child, decide };
    if (own) return { ...ownEffect(own, services), decide };
    if (spec.asksPerson) return { ...person, decide };
    return { ...shared, decide };
  };
}

/** The pure answer that a loop's definition gives to an effect of its own. */
const decideByDefinition = ({ effect, context, memory }: EffectRequest): LoopEvent | null =>
  (specOf(effect, memory.loop).decide?.(context, memory.judge) ?? null) as LoopEvent | null;
