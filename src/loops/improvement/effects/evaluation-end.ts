import type { EventOf } from '../../../../machines/events.ts';
import type { TierKind } from '../../../../machines/improvement-facts.ts';
import { asksPerson } from '../../../../machines/improvement-options.ts';
import type { EffectRequest } from '../../shared/effect.ts';
import type { Tier } from './candidate-tier.ts';
import { candidateOf, memoryOf } from './improvement-request.ts';
import type { TierLog } from './tier-log.ts';
import type { EffectServices } from '../../../ports/services.ts';
import { commitToBranch } from '../../../git/bring/loop-branch.ts';
import { commitOf, orderOf } from './integration-order.ts';
import { planned } from './on-branch.ts';

type End = Pick<
  EventOf<'evaluation.completed'>['payload'],
  'passed' | 'tier' | 'reason' | 'grade' | 'because' | 'apart'
>;

const PASSED = { passed: true, tier: null, reason: 'every tier passed' };

/** Grades a change that no tier has refused. One that is not shown goes to a person, or to a branch of its own. */
export async function gradedEnd(
  request: EffectRequest,
  services: Pick<EffectServices, 'store'>,
  log: TierLog,
  tree: string | null,
): Promise<End> {
  const own = memoryOf(request);
  if (!own.options.witnesses) return PASSED;
  const { turned, because } = log.shown ?? { turned: false, because: 'nothing was evaluated' };
  if (turned || tree === null || asksPerson(own.options)) {
    log.tell({ tier: 'witness', kind: 'witness', passed: turned, detail: because });
    return { ...PASSED, grade: turned ? 'witnessed' : 'not regressed', because };
  }
  const apart = await keptApart(request, services, { tree, because });
  const lost = 'refused' in apart ? `; no branch keeps it: ${apart.refused}` : '';
  const reason = `not shown: ${because}${lost}`;
  log.tell({ tier: 'witness', kind: 'witness', passed: false, detail: reason });
  const kept = 'refused' in apart ? {} : { apart };
  return { passed: false, tier: 'witness', reason, grade: 'not regressed', because, ...kept };
}

/** Tiers that say of unfinished work that it is not finished. The others refuse it for what it has done. */
const MAY_CONTINUE: ReadonlySet<TierKind> = new Set(['applies', 'focused', 'anchors', 'check', 'resolves']);

/** Tells whether what a tier has refused is the work of an experiment that a limit has cut: it may continue. */
export function isCut(request: EffectRequest, { kind }: Pick<Tier, 'kind'>): boolean {
  const own = memoryOf(request);
  const { isCut: wasCut = false } = own.experiments.endOf(candidateOf(request).id) ?? {};
  return wasCut && own.options.witnesses === true && MAY_CONTINUE.has(kind);
}

type Apart = NonNullable<EventOf<'evaluation.completed'>['payload']['apart']>;

/**
 * Puts a change that nothing shows on a branch of its own, for a person: the loop's branch and its head stay where they
 * are. Started again after a crash, it finds the branch that it has made. Throws a `GitError`.
 */
async function keptApart(
  request: EffectRequest,
  services: Pick<EffectServices, 'store'>,
  { tree, because }: { readonly tree: string; readonly because: string },
): Promise<Apart | { readonly refused: string }> {
  const evaluation = { tree, reason: 'not shown', grade: 'not regressed' as const, because };
  const order = orderOf(request, evaluation);
  if (typeof order === 'string') return { refused: order };
  const plan = await planned(await commitOf(order, services, true), order.call);
  if (typeof plan === 'string') return { refused: plan };
  const commit = await commitToBranch(plan, order.call);
  const { branch } = plan;
  return commit === null
    ? { refused: `another process moved the branch ${branch} at this moment` }
    : { branch, commit };
}
