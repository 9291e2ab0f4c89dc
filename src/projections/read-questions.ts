import type { Log } from '../log/log.ts';
import type { LoopDefinition } from '../runtime/loop-definition.ts';
import { readableFacts } from './fact.ts';
import { Asking, type Question } from './questions.ts';

/** What a run and those below it wait for people to answer, oldest first. Null where the log has no such run. */
export async function readQuestions(log: Log, run: string, loops: readonly LoopDefinition[]): Promise<readonly Question[] | null> {
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
    // What a continuation still asks is answered there, not in the run before it.
    open.push(...asking.open().map((question) => ({ ...question, run: id })));
  }
  return open.toSorted((one, other) => one.askedAt.localeCompare(other.askedAt));
}
