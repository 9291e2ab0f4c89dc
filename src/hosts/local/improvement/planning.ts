import type { EventOf, LoopEvent } from '../../../../machines/events.ts';
import type { EffectCall } from '../../../actors/actor.ts';
import type { ImprovementMemory } from '../../../loops/improvement/memory.ts';
import type { EffectRequest } from '../effects/local-effect.ts';
import type { Services as AllServices } from '../services.ts';

export type PlanServices = Pick<AllServices, 'ask' | 'batch' | 'clock'>;

/** The plans that were asked for, or why they are not there. They are a help: an experiment goes on without one. */
export type Planned = Omit<EventOf<'plans.written'>['payload'], 'by'>;

/** What plans are written for and with. */
export interface Planning {
  readonly request: EffectRequest;
  readonly own: ImprovementMemory;
  /** Whose plans are written, in their order. */
  readonly candidates: ImprovementMemory['candidates'];
  readonly model: string;
  readonly call: EffectCall;
}

/** Told to stop, what was used is recorded, and the plans are asked for again when the run continues. */
export function plansEvent(planned: Planned, by: 'batch' | 'calls', { signal }: Pick<EffectCall, 'signal'>): LoopEvent {
  const { usage } = planned;
  if (!signal.aborted) return { type: 'plans.written', payload: { ...planned, by } };
  return { type: 'plans.interrupted', payload: { reason: String(signal.reason), ...(usage ? { usage } : {}) } };
}
