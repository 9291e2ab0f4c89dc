import { checksOfWork } from '../../../config/clean-tree.ts';
import { treeChanges } from '../../../git/tree-change.ts';
import type { EffectCall } from '../../../actors/actor.ts';
import { givenFolder } from '../../../actors/capture-repository.ts';
import type { EffectRequest } from '../../shared/effect.ts';
import { workingSubject } from '../../../verification/subject-in-folder.ts';
import { baselinesOn, headFor } from './baselines-on-head.ts';
import { appliedTo, builtCandidate } from './candidate-tree.ts';
import { contaminationTier } from './contamination-tier.ts';
import { endedExperiment } from './end-experiment.ts';
import { evaluatedInProof } from './evaluate-in-proof.ts';
import { candidateOf, memoryOf } from './improvement-request.ts';
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
  { log, tell }: Telling,
): Promise<string | null> {
  const { context, memory } = request;
  const { run, settings } = context;
  const candidate = candidateOf(request);
  const own = memoryOf(request);
  const { options } = own;
  const { prepared = null, child = null, acceptance = null } = own.experiments.of(candidate.id) ?? {};
  if (!prepared || child === null) throw new TypeError(`${run}: nothing was tried that could be evaluated`);
  const git = { directory: prepared.isolation.repository, signal: call.signal };
  const about = { run, candidate: candidate.id, child, prepared, known: own.disturbed, commit: own.commit };
  const disturbed = await endedExperiment(about, services, call.signal, tell);
  const end = own.experiments.endOf(candidate.id);
  const applies = { tier: 'applies', kind: 'applies' as const };
  const built = await builtCandidate({ child, settings, prepared }, services, git);
  if (typeof built === 'string') {
    log.say({ ...applies, passed: false, detail: end ? `${built}; ${end.detail}` : built });
    return null;
  }
  const { changes: _, ...remark } = built;
  tell({ type: 'candidate.built', payload: { candidate: candidate.id, ...remark, changed: [...built.changed] } });
  if (disturbed !== null) {
    log.say({ tier: 'repository', kind: 'applies', passed: false, detail: disturbed });
    return null;
  }
  if (end && !log.say({ tier: 'ended', kind: 'ended', passed: !end.isGivenUp, detail: end.detail })) return null;
  const head = await headFor(prepared, acceptance, { settings, own, git });
  // Attributes say how files are merged, and git reads them in a work tree alone.
  const applied = await appliedTo(head, built, { ...git, directory: givenFolder(settings) });
  const isApplied = applied.kind === 'applied';
  const because = (text: string) => (end && built.changes.length === 0 ? `${text}; ${end.detail}` : text);
  log.say({ ...applies, passed: isApplied, detail: isApplied ? 'applies to the head' : because(applied.because) });
  const { evaluate } = options.phases;
  if (!isApplied || !evaluate.enabled) return isApplied ? applied.tree : null;
  const { tree } = applied;
  const { proof, checks, environment = [] } = settings;
  const onHead = baselinesOn(memory, acceptance, { head, dependencies: prepared.dependencies });
  if (!proof || !onHead) {
    log.say({ tier: 'checks', kind: 'check', passed: false, detail: WITHOUT_PROOF });
    return tree;
  }
  const { heldOut } = proof;
  const searched = { base: head, tree, head, texts: services.texts(child) };
  if (heldOut && !log.say(await contaminationTier({ ...searched, heldOut }, git))) return tree;
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
    lcov: options.phases.discovery.lcov,
    isAlone: options.phases.experiment.maxParallel === 1,
    ...onHead,
    heldOut,
    options: evaluate,
    changes: await treeChanges(head, tree, git),
    seed: seedOf(built.modification),
    git,
    log,
    tell,
  });
  return tree;
}

const WITHOUT_PROOF =
  'a candidate is compared with the head in checkouts of both, and the checks of this run have none: start it ' +
  'without --check-in workspace, and with a check of its work';

const SEED_DIGITS = 8;
/** The same change is judged by the same draws, however often it is evaluated. */
const seedOf = (modification: string): number => Number.parseInt(modification.slice(0, SEED_DIGITS), 16);
