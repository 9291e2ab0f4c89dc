import type { LoopEvent } from '../../../../machines/events.ts';
import type { EffectCall } from '../../../actors/actor.ts';
import { repeatableExecution } from '../../shared/effects/execution.ts';
import type { Effect, EffectRequest, EffectWork } from '../../shared/effect.ts';
import { placesOf, removeExperiments } from './experiment-worktree.ts';
import { goneFault, sharedFault } from '../../../actors/worktree-faults.ts';
import { checkedHead } from './check-head.ts';
import { bring, captured, type Integration, type Services } from './head-after-bring.ts';
import { candidateOf, memoryOf, repeatable } from './improvement-request.ts';
import { commitOf, integrationOrder } from './integration-order.ts';
import { onBranch, planned, completedBy } from './on-branch.ts';
import { expected, failed, interrupted, takenBack, interruption } from './take-back.ts';
import { madeCommit } from '../../../git/bring/loop-branch.ts';

// What has passed its evaluation becomes the head of the loop:
//   1. the branch of the commit is looked at, and its tree is made: a branch that was moved ends it before any change
//   2. the files are brought into the worktree of the loop
//   3. the checks run on them: what passed on the head before has to pass now
//   4. the capture and what the checks said are recorded, and the commit is made
// Up to 4 nothing is recorded, so what is killed begins anew and finds what it has written. What fails is taken back.
// Once the commit is made, no signal interrupts it: the change is kept.

/** Integrates a candidate, or takes it back; with integration off, puts it on a branch of its own. */
const integrateCandidate = (services: Services): EffectWork => ({
  execute: (request) =>
    repeatableExecution(
      (call) => integrated(request, services, call),
      (call) => lostIntegration(request, services, call),
    ),
});

async function* integrated(request: EffectRequest, services: Services, call: EffectCall): AsyncIterable<LoopEvent> {
  const order = integrationOrder(request);
  if (typeof order === 'string') return yield failed(candidateOf(request).id, order, false);
  const { memory } = request;
  const { run, isolation, options, candidate } = order;
  const { experiments } = memoryOf(request);
  const steps = options.integrate.enabled ? ontoHead : alone;
  for await (const event of steps({ order, memory, services, call, old: memory.baseline })) {
    // No later step needs it, and what cannot be removed now `gc` removes.
    const isOver = event.type === 'integration.completed' || event.type === 'integration.failed';
    if (isOver) {
      const others = experiments.all().filter((one) => one.candidate !== candidate.id);
      await removeExperiments(run, isolation, placesOf(others, run, isolation)).catch(() => {});
    }
    yield event;
  }
}

/** A branch of its own: the head of the loop stays where it is. */
async function* alone({ order, services, call }: Integration): AsyncIterable<LoopEvent> {
  const { candidate, head: tree } = order;
  try {
    const plan = await planned(await commitOf(order, services), order.call);
    const obstacle = typeof plan === 'string' ? plan : yield* onBranch(plan, { to: 'branch', tree }, order, call);
    if (obstacle !== null) yield failed(candidate.id, obstacle, false);
  } catch (error) {
    yield failed(candidate.id, expected(error), false);
  }
}

async function* ontoHead(integration: Integration): AsyncIterable<LoopEvent> {
  const { order, services, call, old } = integration;
  const { tree, isolation } = order;
  try {
    const fault = (await goneFault(isolation)) ?? (await sharedFault(isolation));
    const plan = fault ? fault.message : await planned(await commitOf(order, services), order.call);
    if (typeof plan === 'string') return yield* takenBack(plan, integration);
    if (call.signal.aborted && !plan.isMade) return yield* interrupted(integration);
    await bring(tree, integration);
    // A process that was killed may have recorded what the checks said already, or made the commit after them.
    const isChecked = plan.isMade || old?.workspace === tree;
    const checked = isChecked ? { baseline: old, worse: null } : await checkedHead(tree, integration);
    if (checked === null) return yield* interrupted(integration);
    const { baseline, worse } = checked;
    if (worse !== null) return yield* takenBack(worse, integration);
    yield* captured(tree, integration);
    if (baseline && !isChecked) yield { type: 'baseline.taken', payload: baseline };
    const obstacle = yield* onBranch(plan, { to: 'head', tree }, order, call);
    if (obstacle !== null) yield* takenBack(obstacle, integration);
  } catch (error) {
    yield* takenBack(expected(error), integration);
  }
}

export const integration: Effect = { ...repeatable('integration.interrupted'), handler: integrateCandidate };

/**
 * How far an integration came that was lost in a crash and is not started again: `integration.completed` where its
 * commit is made. Null: it is not, and its files are taken back. No command that opens a pull request is run any more.
 */
async function lostIntegration(
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
