import type { EventOf } from '../../../../machines/events.ts';
import { lifeOf } from '../../../kernel/fold.ts';
import type { ActorServices } from '../services/actor-services.ts';
import { actorExecution } from './execution.ts';
import type { LocalEffect } from './local-effect.ts';

/** Waits until one of the run's timers is due: the deadline, the grace and their like. */
export const startTimer = ({ timer: actor }: Pick<ActorServices, 'timer'>): LocalEffect => ({
  execute: ({ effect, context: { state } }) => {
    const timer = effect.input['timer'] as EventOf<'timer.fired'>['payload']['timer'];
    return actorExecution(actor, { timer, dueAt: lifeOf(state).due[timer] });
  },
});
