import type { EventStore, RunRecord } from '../log/event-store.ts';
import type { LoopDefinition } from '../kernel/loop-definition.ts';
import { factPages } from './read-summary.ts';
import type { Remedy } from './loop-in-view.ts';
import { type AnsweredQuestion, Asking, type Question } from './questions.ts';

/** How many runs of a tree are looked through for an answer that was given before: the newest. */
const MAX_RUNS_SEARCHED = 100;

/** The open questions of a run and its descendants, oldest first. */
export async function readQuestions(
  log: EventStore,
  named: RunRecord,
  loops: readonly LoopDefinition[],
): Promise<readonly Question[]> {
  const root = named.root === named.run ? named : await log.run(named.root);
  return root?.closed === null ? (await readOpen(log, await withDescendants(log, named), loops)).questions : [];
}

/** What runs wait for people to do: to answer questions, and to mend something outside of the program. */
export interface OpenWork {
  /** Oldest first. */
  readonly questions: readonly Question[];
  readonly remedies: readonly Remedy[];
}

/** What these runs wait for people to do. Each is read once. */
export async function readOpen(
  log: EventStore,
  runs: readonly RunRecord[],
  loops: readonly LoopDefinition[],
): Promise<OpenWork> {
  const open: Question[] = [];
  const remedies: Remedy[] = [];
  for (const { run, closed } of runs) {
    if (closed !== null) continue;
    const asking = await read(log, run, loops);
    // An open question of a continuation is answered there, not in the run that it continues.
    open.push(...asking.open().map((question) => ({ ...question, run })));
    const remedy = asking.remedy();
    if (remedy) remedies.push(remedy);
  }
  return { questions: open.toSorted((one, other) => one.askedAt.localeCompare(other.askedAt)), remedies };
}

/** What a person has to do outside of the program before a run can go on. Null: nothing. */
export async function readRemedy(
  log: EventStore,
  { run, closed }: RunRecord,
  loops: readonly LoopDefinition[],
): Promise<Remedy | null> {
  return closed === null ? (await read(log, run, loops)).remedy() : null;
}

/** The questions of runs that are no longer open. */
export interface ClosedQuestions {
  /** In the order of their answers. */
  readonly answered: readonly AnsweredQuestion[];
  /** Withdrawn without an answer, oldest first. */
  readonly withdrawn: readonly Question[];
}

/** The questions of a run and its descendants that are no longer open. */
export async function readClosed(
  log: EventStore,
  run: string,
  loops: readonly LoopDefinition[],
): Promise<ClosedQuestions> {
  const named = await log.run(run);
  const searched = named ? (await withDescendants(log, named)).slice(-MAX_RUNS_SEARCHED) : [];
  const answered: AnsweredQuestion[] = [];
  const withdrawn: Question[] = [];
  for (const one of searched) {
    const asking = await read(log, one.run, loops);
    answered.push(...asking.answered());
    withdrawn.push(...asking.withdrawn());
  }
  return {
    answered: answered.toSorted((one, other) => one.answeredAt.localeCompare(other.answeredAt)),
    withdrawn: withdrawn.toSorted((one, other) => one.askedAt.localeCompare(other.askedAt)),
  };
}

const withDescendants = async (log: EventStore, named: RunRecord): Promise<readonly RunRecord[]> =>
  named.root === named.run ? log.tree(named.run) : [named];

async function read(log: EventStore, run: string, loops: readonly LoopDefinition[]): Promise<Asking> {
  const asking = new Asking(loops);
  for await (const page of factPages(log, run, loops)) for (const fact of page) asking.observe(fact);
  return asking;
}
