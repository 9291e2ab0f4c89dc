import type { EventOf } from '../../../../machines/events.ts';
import { lifeOf } from '../../../kernel/fold.ts';
import { actorExecution } from './execution.ts';
import type { Effect, EffectWork } from '../effect.ts';
import type { EffectServices } from '../../../ports/services.ts';

/** Waits until one of the run's timers is due: the deadline, the grace and their like. */
const startTimer = ({ timer: actor }: Pick<EffectServices, 'timer'>): EffectWork => ({
  execute: ({ effect, context: { state } }) => {
    const timer = effect.input['timer'] as EventOf<'timer.fired'>['payload']['timer'];
    return actorExecution(actor, { timer, dueAt: lifeOf(state).due[timer] });
  },
});

export const timer: Effect = { class: 'repeatable', interrupted: null, handler: startTimer };
