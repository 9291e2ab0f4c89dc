import type { EventOf } from '../../../../machines/events.ts';
import { MAX_PLANS } from '../../../loops/improvement/planning/plan-size.ts';
import { repeatableExecution } from '../effects/execution.ts';
import type { EffectRequest, LocalEffect } from '../effects/local-effect.ts';
import { memoryOf } from './improvement-request.ts';
import { plansByBatch } from './plans-by-batch.ts';
import { plansByCalls } from './plans-by-calls.ts';
import { plansEvent, type PlanServices } from './planning.ts';

/**
 * Writes the plans that are missing: by some calls at a time for the experiments that are about to start, or, where the
 * host has a service for it, in one batch for all candidates of the iteration. A batch is recorded as soon as it is
 * handed in, so that it is waited for, and not handed in again, after a crash.
 */
export const writePlans = (services: PlanServices): LocalEffect => {
  const by = services.batch ? 'batch' : 'calls';
  return {
    decide: (request) => (unplanned(request, by).length === 0 ? nothingToWrite(by) : null),
    execute: (request) =>
      repeatableExecution(async function* (call) {
        const own = memoryOf(request);
        const model = own.options.phases.experiment.model ?? request.memory.settings.model;
        const planning = { request, own, candidates: unplanned(request, by), model, call };
        if (services.batch) yield* plansByBatch(planning, services.batch, services.clock);
        else yield plansEvent(await plansByCalls(planning, services), 'calls', call);
      }),
  };
};

const unplanned = (request: EffectRequest, by: 'batch' | 'calls') =>
  memoryOf(request).unplanned(by).slice(0, MAX_PLANS);

const nothingToWrite = (by: 'batch' | 'calls'): EventOf<'plans.written'> => ({
  type: 'plans.written',
  payload: { plans: [], by },
});
