import type { ActorServices } from '../services/actor-services.ts';
import { actorExecution } from './execution.ts';
import type { LocalEffect } from './local-effect.ts';

/** Waits until a person answers. The answer comes as a command, so the actor itself never does. */
export const askPerson = ({ person }: Pick<ActorServices, 'person'>): LocalEffect => ({
  execute: () => actorExecution(person, null),
});
