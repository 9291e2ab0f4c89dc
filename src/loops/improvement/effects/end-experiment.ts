import type { EventOf } from '../../../../machines/events.ts';
import { REPOSITORY_CHANGED } from '../evaluation/origin-change.ts';
import { endProcessesOf } from '../../shared/effects/end-processes.ts';
import { originRemarksOn } from './origin-since.ts';
import type { Tell } from './news-meanwhile.ts';
import type { EffectServices } from '../../../ports/services.ts';

interface Ended {
  readonly run: string;
  readonly candidate: string;
  /** The run that worked in it. */
  readonly child: string;
  /** Why it is refused for what changed around it, where that was said before. */
  readonly known: string | null;
  /** The newest commit of the loop. */
  readonly commit: string | null;
  readonly prepared: Pick<EventOf<'experiment.prepared'>['payload'], 'isolation'>;
}

/**
 * Ends what an experiment has left running, and tells as warnings what has changed around it. Returns why it is refused
 * for that; null: it is not. Throws a `GitError`.
 */
export async function endedExperiment(
  { run, candidate, child, prepared: { isolation }, known, commit }: Ended,
  services: Pick<EffectServices, 'isWithin' | 'sandboxes' | 'store' | 'texts'>,
  signal: AbortSignal,
  tell: Tell,
): Promise<string | null> {
  const warning = await endProcessesOf(child, services);
  if (warning) tell(warning);
  if (known !== null) return known;
  const { texts, store } = services;
  const remarks = await originRemarksOn({ run, candidate, isolation, store, commit }, texts(child), signal);
  for (const payload of remarks) tell({ type: 'warning.raised', payload });
  return remarks.find(({ code }) => code === REPOSITORY_CHANGED)?.message ?? null;
}
