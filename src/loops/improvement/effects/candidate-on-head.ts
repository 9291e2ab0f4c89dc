import type { AcceptanceTest, Discovery } from '../../../../machines/improvement-facts.ts';
import type { EventOf } from '../../../../machines/events.ts';
import type { RunSettings } from '../../../../machines/settings.ts';
import { givenFolder } from '../../../actors/capture-repository.ts';
import type { GitCall } from '../../../git/process/git.ts';
import type { EffectServices } from '../../../ports/services.ts';
import type { EffectRequest } from '../../shared/effect.ts';
import type { ImprovementMemory } from '../memory.ts';
import { headFor } from './baselines-on-head.ts';
import { appliedTo, type BuiltCandidate, builtCandidate } from './candidate-tree.ts';
import { endedExperiment } from './end-experiment.ts';
import { candidateOf, memoryOf } from './improvement-request.ts';
import type { Tell } from './news-meanwhile.ts';
import type { TierLog } from './tier-log.ts';

/** A candidate that a run has worked on. */
export interface WorkedCandidate {
  readonly run: string;
  readonly settings: RunSettings;
  readonly own: ImprovementMemory;
  readonly candidate: Discovery;
  /** The run that worked on it. */
  readonly child: string;
  readonly prepared: EventOf<'experiment.prepared'>['payload'];
  readonly acceptance: AcceptanceTest | null;
  /** The repository of its worktree. */
  readonly git: GitCall & { readonly signal: AbortSignal };
}

/** Returns the candidate that is to be evaluated. Throws a `TypeError` where no run has worked on it. */
export function workedCandidate(request: EffectRequest, signal: AbortSignal): WorkedCandidate {
  const { run, settings } = request.context;
  const candidate = candidateOf(request);
  const own = memoryOf(request);
  const { prepared = null, child = null, acceptance = null } = own.experiments.of(candidate.id) ?? {};
  if (!prepared || child === null) throw new TypeError(`${run}: nothing was tried that could be evaluated`);
  const git = { directory: prepared.isolation.repository, signal };
  return { run, settings, own, candidate, child, prepared, acceptance, git };
}

/** The head of the loop, and its tree with the change of a candidate. */
export interface OnHead {
  readonly head: string;
  readonly tree: string;
  readonly built: BuiltCandidate;
}

/**
 * Ends the experiment of a candidate, and brings what it has left to the head of the loop. Null: a tier has refused
 * it before that. Throws a `GitError`.
 */
export async function candidateOnHead(
  { run, settings, own, candidate, child, prepared, acceptance, git }: WorkedCandidate,
  services: Pick<EffectServices, 'capture' | 'isWithin' | 'sandboxes' | 'store' | 'texts'>,
  { log, tell }: { readonly log: TierLog; readonly tell: Tell },
): Promise<OnHead | null> {
  const about = { run, candidate: candidate.id, child, prepared, known: own.disturbed, commit: own.commit };
  const disturbed = await endedExperiment(about, services, git.signal, tell);
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
  return isApplied ? { head, tree: applied.tree, built } : null;
}
