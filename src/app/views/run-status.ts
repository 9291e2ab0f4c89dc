import type { Holder, LeaseStore } from '../../log/lease-store.ts';
import type { EventStore, RunRecord } from '../../log/event-store.ts';
import { factPages } from '../../projections/fact.ts';
import type { Question } from '../../projections/questions.ts';
import { askedBy } from '../people/asked-places.ts';
import type { LoopDefinition } from '../../kernel/loop-definition.ts';
import { assertBegun } from '../../runtime/intact.ts';
import type { PausedBy } from '../../runtime/run-end.ts';

/** The status of a run: ended, running in a process, waiting for a person, or waiting to be resumed. */
export type Standing =
  | { readonly kind: 'ended'; readonly ending: string }
  | { readonly kind: 'running'; readonly by: Holder; readonly questions: readonly Question[] }
  /** Paused until a person has answered. */
  | { readonly kind: 'waiting'; readonly questions: readonly Question[] }
  | { readonly kind: 'paused'; readonly questions: readonly Question[] }
  /** Not ended and without a process: its process was killed. */
  | { readonly kind: 'interrupted'; readonly questions: readonly Question[] };

/** Throws where the run has no event. */
export async function standingOf(
  log: EventStore & LeaseStore,
  record: RunRecord,
  loops: readonly LoopDefinition[],
): Promise<Standing> {
  const { root, closed } = record;
  assertBegun(record);
  if (closed !== null) return { kind: 'ended', ending: closed };
  const questions = await askedBy(log, record, loops);
  const by = await log.holder(root);
  if (by) return { kind: 'running', by, questions };
  const paused = await pausedBy(log, root);
  if (paused === null) return { kind: 'interrupted', questions };
  return { kind: paused === 'waiting' && questions.length > 0 ? 'waiting' : 'paused', questions };
}

/** Why a run was paused, unless it was resumed since. */
async function pausedBy(log: EventStore, run: string): Promise<PausedBy | null> {
  let by: PausedBy | null = null;
  for await (const page of factPages(log, run)) {
    for (const fact of page) {
      if (fact.type === 'run.paused') by = fact.payload.by;
      if (fact.type === 'run.resumed' || fact.type === 'run.continued') by = null;
    }
  }
  return by;
}

/** In a word or two. */
export function standingName(standing: Standing): string {
  switch (standing.kind) {
    case 'ended':
      return standing.ending;
    case 'running':
      return standing.questions.length > 0 ? 'running, asks' : 'running';
    default:
      return standing.kind;
  }
}
