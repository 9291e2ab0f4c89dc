import { MAX_PLANS } from '../../../loops/improvement/planning/plan-size.ts';
import type { ImprovementMemory } from '../../../loops/improvement/memory.ts';
import { repeatableExecution } from '../effects/execution.ts';
import type { LocalEffect } from '../effects/local-effect.ts';
import { plansByBatch } from './plans-by-batch.ts';
import { plansByCalls } from './plans-by-calls.ts';
import { plansEvent, type PlanServices } from './planning.ts';

/**
 * Writes a plan for each candidate of the iteration: in a batch where the host has a service for it, and else by some
 * calls at a time. A batch is recorded as soon as it is handed in, so that it is waited for, and not handed in again,
 * after a crash.
 */
export const writePlans = (services: PlanServices): LocalEffect => ({
  execute: (request) =>
    repeatableExecution(async function* (call) {
      const own = request.memory.judge.own as ImprovementMemory;
      const { settings } = request.memory;
      const model = own.options.phases.experiment.model ?? settings.model;
      const planning = { request, own, candidates: own.candidates.slice(0, MAX_PLANS), model, call };
      if (services.batch) yield* plansByBatch(planning, services.batch, services.clock);
      else yield plansEvent(await plansByCalls(planning, services), 'calls', call);
    }),
});
