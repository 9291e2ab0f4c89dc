import type { Holder, LeaseStore } from '../../log/lease-store.ts';
import type { EventStore, RunRecord } from '../../log/event-store.ts';
import { placedQuestions } from '../people/question-places.ts';
import { type OpenRun, readOpenRun } from '../../projections/open-run.ts';
import type { Question } from '../../projections/questions.ts';
import type { LoopDefinition } from '../../kernel/loop-definition.ts';
import { assertBegun } from '../../runtime/intact.ts';

/** The status of a run: ended, running in a process, waiting for a person, or waiting to be resumed. */
export type Standing =
  | { readonly kind: 'ended'; readonly ending: string }
  | { readonly kind: 'running'; readonly by: Holder; readonly questions: readonly Question[] }
  /** Paused until a person has answered. */
  | { readonly kind: 'waiting'; readonly questions: readonly Question[] }
  | { readonly kind: 'paused'; readonly questions: readonly Question[] }
  /** Not ended and without a process: its process was killed. */
  | { readonly kind: 'interrupted'; readonly questions: readonly Question[] };

/** The standing of a run, and until when its tree waits, as the newest open run of it does (RFC 3339). */
export interface RunStatus {
  readonly standing: Standing;
  readonly waitsUntil: string | null;
}

/** Throws where the run has no event. */
export const standingOf = async (
  log: EventStore & LeaseStore,
  record: RunRecord,
  loops: readonly LoopDefinition[],
): Promise<Standing> => (await statusOf(log, record, loops)).standing;

/**
 * Reads each open run of a tree once. `own`: the run itself, where the caller has folded it. Throws where the run has
 * no event.
 */
export async function statusOf(
  log: EventStore & LeaseStore,
  record: RunRecord,
  loops: readonly LoopDefinition[],
  own?: OpenRun,
): Promise<RunStatus> {
  const { run, root, closed } = record;
  assertBegun(record);
  if (closed !== null) return { standing: { kind: 'ended', ending: closed }, waitsUntil: null };
  const tree = (await log.tree(root)).filter((one) => one.closed === null);
  const read = new Map<string, OpenRun>();
  for (const one of tree) read.set(one.run, (one.run === run && own) || (await readOpenRun(log, one.run, loops)));
  const top = read.get(root);
  const asking = run === root ? [...read] : [...read].filter(([one]) => one === run);
  const asked = asking.flatMap(([one, { asking: of }]) => of.open().map((question) => ({ ...question, run: one })));
  const inOrder = asked.toSorted((one, other) => one.askedAt.localeCompare(other.askedAt));
  const questions = await placedQuestions(log, top ? inOrder : []);
  const waitsUntil = [...read.values()].at(-1)?.waitsUntil ?? null;
  const by = await log.holder(root);
  if (by) return { standing: { kind: 'running', by, questions }, waitsUntil };
  const paused = top?.pausedBy ?? null;
  if (paused === null) return { standing: { kind: 'interrupted', questions }, waitsUntil };
  const kind = paused === 'waiting' && questions.length > 0 ? 'waiting' : 'paused';
  return { standing: { kind, questions }, waitsUntil };
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
