import type { Log } from '../log/log.ts';
import { readableFacts } from './fact.ts';
import { NO_QUESTIONS, openQuestions, type Question } from './questions.ts';

/** What a run and those below it wait for people to answer, oldest first. Null where the log has no such run. */
export async function readQuestions(log: Log, run: string): Promise<readonly Question[] | null> {
  const records = await log.runs();
  const named = records.find((record) => record.run === run);
  if (!named) return null;
  const asking = named.root === run ? records.filter(({ root }) => root === run) : [named];
  const root = records.find((record) => record.run === named.root);
  const open: Question[] = [];
  for (const { run: id, closed } of root?.closed === null ? asking : []) {
    if (closed !== null) continue;
    let questions = NO_QUESTIONS;
    for await (const fact of readableFacts(log, id)) questions = openQuestions(questions, fact);
    open.push(...questions.open.map((one) => ({ run: id, ...one })));
  }
  return open.toSorted((one, other) => one.askedAt.localeCompare(other.askedAt));
}
