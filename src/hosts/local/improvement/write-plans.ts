import type { EventOf } from '../../../../machines/events.ts';
import { MAX_PLANS } from '../../../loops/improvement/planning/plan-size.ts';
import { repeatableExecution } from '../effects/execution.ts';
import type { EffectRequest, LocalEffect } from '../effects/local-effect.ts';
import { memoryOf } from './improvement-request.ts';
import { plansByBatch } from './plans-by-batch.ts';
import { plansByCalls } from './plans-by-calls.ts';
import { hasRunner, plansEvent, type PlanServices, together } from './planning.ts';
import { withAcceptance } from './test-plans.ts';

/**
 * Writes the plans that are missing: by some calls at a time for the experiments that are about to start, or, where the
 * host has a service for it, in one batch for all candidates of the iteration. What a batch leaves out is asked by
 * calls. Acceptance tests of the experiments that are about to start are run on the head before anything is tried.
 */
export const writePlans = (services: PlanServices): LocalEffect => {
  const { batch, clock } = services;
  const wayOf = (request: EffectRequest) => (batch && !memoryOf(request).plans.hasFailed ? 'batch' : 'calls');
  return {
    decide: (request) => {
      const by = wayOf(request);
      const isNothing = unplanned(request, by).length === 0 && memoryOf(request).unshown().length === 0;
      return isNothing ? nothingToWrite(by) : null;
    },
    execute: (request) =>
      repeatableExecution(async function* (call) {
        const own = memoryOf(request);
        const model = own.options.phases.experiment.model ?? request.memory.settings.model;
        const planning = { request, own, model, call };
        const candidates = unplanned(request, 'batch');
        const isBatch = batch && wayOf(request) === 'batch' && (candidates.length > 0 || own.plans.batch !== null);
        const answered = isBatch ? yield* plansByBatch({ ...planning, candidates }, batch, clock) : null;
        const written = new Set(answered?.plans.map(({ candidate }) => candidate));
        const left = call.signal.aborted ? [] : unplanned(request, 'calls').filter(({ id }) => !written.has(id));
        const called = await plansByCalls({ ...planning, candidates: left }, services);
        const planned = together([...(answered ? [answered] : []), called]);
        const shown = await withAcceptance(planned, { ...planning, candidates: own.unshown() }, services);
        yield plansEvent(shown, written.size > 0 || !isBatch ? wayOf(request) : 'calls', call);
      }),
  };
};

const unplanned = (request: EffectRequest, by: 'batch' | 'calls') =>
  memoryOf(request).unplanned(by, hasRunner(request)).slice(0, MAX_PLANS);

const nothingToWrite = (by: 'batch' | 'calls'): EventOf<'plans.written'> => ({
  type: 'plans.written',
  payload: { plans: [], by },
});
