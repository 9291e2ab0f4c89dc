import type { EventOf } from '../../../../machines/events.ts';
import { MAX_PLANS } from '../planning/plan-size.ts';
import { repeatableExecution } from '../../shared/effects/execution.ts';
import type { Effect, EffectWork } from '../../shared/effect.ts';
import { asking, memoryOf } from './improvement-request.ts';
import { plansByBatch } from './plans-by-batch.ts';
import { plansByCalls, withAcceptance } from './test-plans.ts';
import { plansEvent, type PlanServices, together } from './plan-prompts.ts';
import type { ImprovementMemory } from '../memory.ts';

/**
 * Writes the plans that are missing: by some calls at a time for the experiments that are about to start, or, where the
 * host has a service for it, in one batch for all candidates of the iteration. What a batch leaves out is asked by
 * calls. Acceptance tests of the experiments that are about to start are run on the head before anything is tried.
 */
export const writePlans = (services: PlanServices): EffectWork => {
  const { batch, clock } = services;
  return {
    execute: (request) =>
      repeatableExecution(async function* (call) {
        const own = memoryOf(request);
        const model = own.options.phases.experiment.model ?? request.memory.settings.model;
        const planning = { request, own, model, call };
        const candidates = unplanned(own, 'batch');
        const isBatch =
          batch && wayOf(own, batch !== null) === 'batch' && (candidates.length > 0 || own.plans.batch !== null);
        const answered = isBatch ? yield* plansByBatch({ ...planning, candidates }, batch, clock) : null;
        const written = new Set(answered?.plans.map(({ candidate }) => candidate));
        const left = call.signal.aborted ? [] : unplanned(own, 'calls').filter(({ id }) => !written.has(id));
        const called = await plansByCalls({ ...planning, candidates: left }, services);
        const planned = together([...(answered ? [answered] : []), called]);
        const shown = await withAcceptance(planned, { ...planning, candidates: own.unshown() }, services);
        yield plansEvent(shown, written.size > 0 || !isBatch ? wayOf(own, batch !== null) : 'calls', call);
      }),
  };
};

const wayOf = ({ plans: { hasFailed } }: ImprovementMemory, hasBatches: boolean) =>
  hasBatches && !hasFailed ? 'batch' : 'calls';

const unplanned = (own: ImprovementMemory, by: 'batch' | 'calls') => own.unplanned(by).slice(0, MAX_PLANS);

const nothingToWrite = (by: 'batch' | 'calls'): EventOf<'plans.written'> => ({
  type: 'plans.written',
  payload: { plans: [], by },
});

export const plans: Effect = {
  ...asking('plans.interrupted'),
  decide: (_, memory, { hasBatches }) => {
    const own = memory.own as ImprovementMemory;
    const by = wayOf(own, hasBatches);
    return unplanned(own, by).length === 0 && own.unshown().length === 0 ? nothingToWrite(by) : null;
  },
  handler: writePlans,
};
