import type { EventStore } from '../log/event-store.ts';
import type { LoopDefinition } from '../kernel/loop-definition.ts';
import { readableFacts } from './fact.ts';
import { Asking, type Question } from './questions.ts';

/** The open questions of a run and its descendants, oldest first. Null where the log has no such run. */
export async function readQuestions(
  log: EventStore,
  run: string,
  loops: readonly LoopDefinition[],
): Promise<readonly Question[] | null> {
  const records = await log.runs();
  const named = records.find((record) => record.run === run);
  if (!named) return null;
  const tree = named.root === run ? records.filter(({ root }) => root === run) : [named];
  const root = records.find((record) => record.run === named.root);
  const open: Question[] = [];
  for (const { run: id, closed } of root?.closed === null ? tree : []) {
    if (closed !== null) continue;
    const asking = new Asking(loops);
    for await (const fact of readableFacts(log, id, loops)) asking.observe(fact);
    // An open question of a continuation is answered there, not in the run that it continues.
    open.push(...asking.open().map((question) => ({ ...question, run: id })));
  }
  return open.toSorted((one, other) => one.askedAt.localeCompare(other.askedAt));
}
