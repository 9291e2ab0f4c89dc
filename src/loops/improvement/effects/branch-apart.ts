import type { EventOf } from '../../../../machines/events.ts';
import { commitToBranch } from '../../../git/bring/loop-branch.ts';
import type { EffectRequest } from '../../shared/effect.ts';
import { commitOf, orderOf } from './integration-order.ts';
import { planned } from './on-branch.ts';
import type { EffectServices } from '../../../ports/effect-services.ts';

type Apart = NonNullable<EventOf<'evaluation.completed'>['payload']['apart']>;

/**
 * Puts a change that nothing shows on a branch of its own, for a person: the loop's branch and its head stay where they
 * are. Started again after a crash, it finds the branch that it has made. Throws a `GitError`.
 */
export async function keptApart(
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
