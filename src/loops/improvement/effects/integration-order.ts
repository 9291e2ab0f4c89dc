import type { EventOf } from '../../../../machines/events.ts';
import type { Discovery } from '../../../../machines/improvement-facts.ts';
import type { ImprovementOptions } from '../../../../machines/improvement-options.ts';
import type { Isolation, RunSettings } from '../../../../machines/settings.ts';
import type { GitCall } from '../../../git/process/git.ts';
import { logNames } from '../../../git/capture/log-names.ts';
import { runRefs } from '../../../git/run-refs.ts';
import { startCommit } from '../../../git/bring/start-commit.ts';
import type { LoopCommit } from '../../../git/bring/loop-branch.ts';
import { commitMessage, type Improvement } from '../request-text.ts';
import type { EffectRequest } from '../../shared/effect.ts';
import { headTree } from './baselines-on-head.ts';
import { candidateOf, memoryOf } from './improvement-request.ts';
import type { EffectServices } from '../../../ports/services.ts';

/** What is to be integrated, and into what. */
export interface IntegrationOrder {
  readonly run: string;
  readonly settings: RunSettings;
  readonly isolation: Isolation;
  readonly candidate: Discovery;
  /** Hashes of trees: what the loop has come to, and the same with the change. */
  readonly head: string;
  readonly tree: string;
  readonly improvement: Improvement;
  readonly options: ImprovementOptions['phases'];
  /** The newest commit of the loop. Null: nothing is integrated yet. */
  readonly parent: string | null;
  /** In the repository of the person, which keeps captures and branches. */
  readonly call: GitCall;
}

/** What is to be integrated. A text: why nothing can be. */
export function integrationOrder(request: EffectRequest): IntegrationOrder | string {
  const { evaluation } = memoryOf(request);
  if (!evaluation?.passed || evaluation.tree === null) return 'its evaluation has left no tree to integrate';
  return orderOf(request, { ...evaluation, tree: evaluation.tree });
}

type Evaluated = Improvement['evaluation'] & { readonly tree: string };

/** What a change that was evaluated is brought into. A text: why it cannot be. */
export function orderOf(request: EffectRequest, evaluation: Evaluated): IntegrationOrder | string {
  const { run, settings } = request.context;
  const own = memoryOf(request);
  const candidate = candidateOf(request);
  const { built, iteration, commit: parent } = own;
  const { isolation } = settings;
  const head = headTree(settings, own);
  if (!isolation || head === null) return 'the run has no worktree of its own: start it with --isolate worktree';
  const { tree } = evaluation;
  if (tree === head) return 'it changes nothing';
  const { witness } = own.experiments.of(candidate.id)?.prepared ?? {};
  const improvement = { run, iteration, discovery: candidate, evaluation, built, witness };
  const about = { run, settings, isolation, candidate, head, tree, improvement, parent };
  return { ...about, options: own.options.phases, call: { directory: isolation.origin } };
}

/** The commit of the change, on the loop's branch or on one of its own. */
export async function commitOf(
  order: IntegrationOrder,
  { store }: Pick<EffectServices, 'store'>,
  isApart = !order.options.integrate.enabled,
): Promise<LoopCommit> {
  const { run, isolation, candidate, head, tree, improvement, call } = order;
  const { base, commit = null, top } = isolation;
  const first = async () => startCommit(commit ?? (await runRefs(run, call)).get('head') ?? null, base, call);
  return {
    branch: isApart ? `loopfold/${run}-${candidate.id}` : `loopfold/${run}`,
    parent: order.parent ?? (await first()),
    from: head,
    to: tree,
    leaveOut: await logNames(top, store),
    message: commitMessage(improvement),
  };
}

/** The record of the integration in git for people: the branch in which it is. */
export type Integrated = Omit<EventOf<'integration.completed'>['payload'], 'candidate' | 'usage'>;
