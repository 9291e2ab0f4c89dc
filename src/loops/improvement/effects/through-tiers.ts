import { checksOfWork } from '../../../config/clean-tree.ts';
import { treeChanges } from '../../../git/tree-change.ts';
import type { EffectCall } from '../../../actors/actor.ts';
import type { EffectRequest } from '../../shared/effect.ts';
import { workingSubject } from '../../../verification/subject-in-folder.ts';
import { baselinesOn } from './baselines-on-head.ts';
import { candidateOnHead, type OnHead, type WorkedCandidate, workedCandidate } from './candidate-on-head.ts';
import { contaminationTier } from './contamination-tier.ts';
import { evaluatedInProof } from './evaluate-in-proof.ts';
import type { TierLog } from './tier-log.ts';
import type { Tell } from './news-meanwhile.ts';
import type { EffectServices } from '../../../ports/services.ts';

export type TierServices = Pick<EffectServices, 'capture' | 'isWithin' | 'rootOf' | 'sandboxes' | 'store' | 'texts'>;

interface Telling {
  readonly log: TierLog;
  readonly tell: Tell;
}

/**
 * Asks the tiers about a candidate, up to the first that refuses. Answers with the hash of the head's tree with its
 * change. Null: there is none. Throws a `GitError`.
 */
export async function throughTiers(
  request: EffectRequest,
  services: TierServices,
  call: EffectCall,
  telling: Telling,
): Promise<string | null> {
  const worked = workedCandidate(request, call.signal);
  const onHead = await candidateOnHead(worked, services, telling);
  if (!onHead) return null;
  const { own, acceptance, prepared } = worked;
  if (!own.options.phases.evaluate.enabled) return onHead.tree;
  const { head, tree } = onHead;
  const baselines = baselinesOn(request.memory, acceptance, { head, dependencies: prepared.dependencies });
  await evaluated(worked, { ...onHead, baselines }, services, { ...telling, call });
  return tree;
}

/** Asks the tiers that compare the tree with the head: what held-out checks could have told, then the checks. */
async function evaluated(
  { run, settings, own, candidate, child, prepared, acceptance, git }: WorkedCandidate,
  { head, tree, built, baselines }: OnHead & { readonly baselines: ReturnType<typeof baselinesOn> },
  services: TierServices,
  { log, tell, call }: Telling & { readonly call: EffectCall },
): Promise<void> {
  const { evaluate, discovery, experiment } = own.options.phases;
  const { proof, checks, environment = [] } = settings;
  if (!proof || !baselines) {
    log.say({ tier: 'checks', kind: 'check', passed: false, detail: WITHOUT_PROOF });
    return;
  }
  const { heldOut } = proof;
  const searched = { base: head, tree, head, texts: services.texts(child) };
  if (heldOut && !log.say(await contaminationTier({ ...searched, heldOut }, git))) return;
  const work = await workingSubject(settings, { ...proof, base: head }, tree);
  const { start: _start, ...subject } = work;
  await evaluatedInProof(subject, {
    run,
    keptFor: await services.rootOf(run),
    checks: checksOfWork(checks),
    environment,
    signal: call.signal,
    delta: call.delta,
    discovery: candidate,
    witness: prepared.witness ?? null,
    acceptance,
    lcov: discovery.lcov,
    isAlone: experiment.maxParallel === 1,
    ...baselines,
    heldOut,
    options: evaluate,
    changes: await treeChanges(head, tree, git),
    seed: seedOf(built.modification),
    git,
    log,
    tell,
  });
}

const WITHOUT_PROOF =
  'a candidate is compared with the head in checkouts of both, and the checks of this run have none: start it ' +
  'without --check-in workspace, and with a check of its work';

const SEED_DIGITS = 8;
/** The same change is judged by the same draws, however often it is evaluated. */
const seedOf = (modification: string): number => Number.parseInt(modification.slice(0, SEED_DIGITS), 16);
