import { actorExecution } from './execution.ts';
import { type Effect, type EffectWork, lossOf } from '../effect.ts';
import type { EffectServices } from '../../../ports/services.ts';

/** Waits until a person answers. The answer comes as a command, so the actor itself never does. */
export const askPerson = ({ person }: Pick<EffectServices, 'person'>): EffectWork => ({
  execute: () => actorExecution(person, null),
});

/** Asks a person about grounds that the work has changed. */
export const groundsRuling: Effect = {
  class: 'repeatable',
  asksPerson: true,
  interrupted: (_, how) => lossOf('groundsRuling', how),
  handler: askPerson,
};
