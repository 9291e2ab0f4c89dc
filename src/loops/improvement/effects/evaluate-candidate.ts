import type { LoopEvent } from '../../../../machines/events.ts';
import type { EffectCall } from '../../../actors/actor.ts';
import { GitError } from '../../../git/process/git.ts';
import { forgetOrigin } from '../../../git/worktree/origin-copy.ts';
import { placeAt } from '../../../git/worktree/worktree-place.ts';
import { tierUsage } from '../evaluation/tier-cost.ts';
import { repeatableExecution } from '../../shared/effects/execution.ts';
import type { Effect, EffectRequest, EffectWork } from '../../shared/effect.ts';
import { asking, candidateOf, memoryOf } from './improvement-request.ts';
import { gradedEnd, isCut } from './evaluation-end.ts';
import { throughTiers, type TierServices } from './through-tiers.ts';
import { TierLog } from './tier-log.ts';
import { type Tell, toldMeanwhile } from './news-meanwhile.ts';
import type { EffectServices } from '../../../ports/services.ts';
import { placesOf, removeExperiments } from './experiment-worktree.ts';

/**
 * The same effect, after which the worktree of an experiment that was refused is gone: what it had left was captured.
 * What cannot be removed now the next preparation removes, or `gc`.
 */
export const removingRefused = ({ execute, ...effect }: EffectWork): EffectWork => ({
  ...effect,
  execute: (request) => {
    const execution = execute?.(request);
    if (execution?.kind !== 'actor') throw new TypeError(`${request.effect.actor} is executed by no actor`);
    const { run, settings } = request.context;
    const { experiments } = memoryOf(request);
    return {
      ...execution,
      async *execute(call) {
        for await (const event of execution.execute(call)) {
          const isRefused = event.type === 'evaluation.completed' && !event.payload.passed;
          if (isRefused && settings.isolation) {
            const others = experiments.all().filter(({ candidate }) => candidate !== event.payload.candidate);
            const kept = placesOf(others, run, settings.isolation);
            await removeExperiments(run, settings.isolation, kept).catch(() => {});
          }
          yield event;
        }
      },
    };
  },
});

type Services = TierServices & Pick<EffectServices, 'priceOf'>;

/**
 * Evaluates what an experiment has left, tier after tier, the cheapest first, up to the first that refuses it. The
 * verdict is relative: what fails on the head of the loop may go on failing, and nothing that passes there may be lost.
 */
export const evaluateCandidate = (services: Services): EffectWork => ({
  execute: (request) =>
    repeatableExecution((call) => toldMeanwhile((tell) => evaluated(request, services, call, tell))),
});

async function evaluated(request: EffectRequest, services: Services, call: EffectCall, tell: Tell): Promise<LoopEvent> {
  const candidate = candidateOf(request);
  const { prepared = null } = memoryOf(request).experiments.of(candidate.id) ?? {};
  const log = new TierLog(candidate.id, tell);
  const end = { candidate: candidate.id, tier: null, tree: null };
  try {
    const tree = await throughTiers(request, services, call, { log, tell });
    if (call.signal.aborted) return interrupted(call);
    const { refused } = log;
    // What changes from now on does not count: the experiment has ended.
    if (!refused && prepared) await forgetOrigin(placeAt(prepared.isolation.top)).catch(() => {});
    const price = tierUsage(log.costUsd, log.costUsd > 0 ? await priceOf(request, services) : null);
    const usage = price ? { usage: price } : {};
    if (refused) {
      const cut = isCut(request, refused) ? { cut: true as const } : {};
      const payload = { ...end, passed: false, tier: refused.tier, reason: refused.detail, tree, ...cut, ...usage };
      return { type: 'evaluation.completed', payload };
    }
    const graded = { ...(await gradedEnd(request, services, log, tree)), ...usage };
    return { type: 'evaluation.completed', payload: { ...end, tree, ...graded } };
  } catch (error) {
    if (call.signal.aborted) return interrupted(call);
    // Git says what is wrong with a tree: the next candidate has another one.
    if (!(error instanceof GitError)) throw error;
    return { type: 'evaluation.completed', payload: { ...end, passed: false, reason: error.message } };
  }
}

const interrupted = ({ signal }: EffectCall): LoopEvent => ({
  type: 'evaluation.interrupted',
  payload: { reason: String(signal.reason) },
});

/** By the price that was recorded when the run began, where it has a cost limit. Null: it is unknown. */
async function priceOf({ memory: { settings } }: EffectRequest, services: Pick<Services, 'priceOf'>) {
  return settings.prices?.[settings.model] ?? services.priceOf(settings.model);
}

export const evaluation: Effect = {
  ...asking('evaluation.interrupted'),
  handler: (services) => removingRefused(evaluateCandidate(services)),
};
