import type { LoopEvent } from '../../../../machines/events.ts';
import type { EffectCall } from '../../../actors/actor.ts';
import { GitError } from '../../../actors/workspace/git.ts';
import { forgetOrigin } from '../../../actors/workspace/kept-origin.ts';
import { placeAt } from '../../../actors/worktree-place.ts';
import { tierUsage } from '../../../loops/improvement/evaluation/tier-cost.ts';
import { repeatableExecution } from '../effects/execution.ts';
import type { EffectRequest, LocalEffect } from '../effects/local-effect.ts';
import type { Services as AllServices } from '../services.ts';
import { candidateOf, memoryOf } from './improvement-request.ts';
import { gradedEnd, isCut } from './evaluation-end.ts';
import { throughTiers, type TierServices } from './through-tiers.ts';
import { TierLog } from './tier-log.ts';
import { type Tell, toldMeanwhile } from './told-meanwhile.ts';

type Services = TierServices & Pick<AllServices, 'priceOf'>;

/**
 * Evaluates what an experiment has left, tier after tier, the cheapest first, up to the first that refuses it. The
 * verdict is relative: what fails on the head of the loop may go on failing, and nothing that passes there may be lost.
 */
export const evaluateCandidate = (services: Services): LocalEffect => ({
  execute: (request) =>
    repeatableExecution((call) => toldMeanwhile((tell) => evaluation(request, services, call, tell))),
});

async function evaluation(
  request: EffectRequest,
  services: Services,
  call: EffectCall,
  tell: Tell,
): Promise<LoopEvent> {
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
