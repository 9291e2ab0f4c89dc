import type { LoopEvent } from '../../../../machines/events.ts';
import type { EffectCall } from '../../../actors/actor.ts';
import { madeCommit } from '../../../git/bring/loop-branch.ts';
import type { EffectRequest } from '../../shared/effect.ts';
import { goneFault } from '../../shared/effects/worktree-fault.ts';
import { bring, type Services } from './integrated-head.ts';
import { commitOf, integrationOrder } from './integration-order.ts';
import { completedBy } from './on-branch.ts';
import { expected, interruption } from './taken-back.ts';

/**
 * How far an integration came that was lost in a crash and is not started again: `integration.completed` where its
 * commit is made. Null: it is not, and its files are taken back. No command that opens a pull request is run any more.
 */
export async function lostIntegration(
  request: EffectRequest,
  services: Services,
  call: EffectCall,
): Promise<LoopEvent | null> {
  const order = integrationOrder(request);
  if (typeof order === 'string') return null;
  const { memory } = request;
  const { head, tree, isolation, options } = order;
  const isOntoHead = options.integrate.enabled;
  try {
    const commit = await commitOf(order, services);
    const made = await madeCommit(commit, order.call);
    const where = isOntoHead ? ({ to: 'head', tree } as const) : ({ to: 'branch', tree: head } as const);
    if (made) return completedBy({ branch: commit.branch, commit: made.tip }, where, order);
    const hasFiles = isOntoHead && (await goneFault(isolation)) === null;
    if (hasFiles) await bring(head, { order, memory, services, call, old: memory.baseline });
    return null;
  } catch (error) {
    return interruption(`how far it came is unknown, look at the branch and the worktree: ${expected(error)}`);
  }
}
