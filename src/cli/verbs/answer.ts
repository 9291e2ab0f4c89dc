import { chosen as meant } from '../../app/people/open-question.ts';
import { oneLine } from '../../projections/phrases.ts';
import { type RunReference, takenRunFor } from '../args/find-run.ts';
import { readText } from '../args/read-prompt.ts';
import { printCommandResult } from '../live/command-result.ts';
import type { Session } from '../session.ts';
import { chosen, MAX_CHOICE_CHARS } from '../terminal/question-lines.ts';

export interface AnswerFlags {
  readonly text: string;
  readonly call?: string;
  /** The number of a choice is a text like any other. */
  readonly literal?: boolean;
}

/** Answers a question of a run, owned by a process or not: the number of a choice is that choice, as at a terminal. */
export async function answer(
  session: Session,
  reference: RunReference,
  { text, call, literal = false }: AnswerFlags,
): Promise<number> {
  const loops = await session.loops('write', { runs: [reference], otherwise: 'refuse' });
  const record = await takenRunFor(text, session, loops.log, reference);
  const typed = await readText(text, process.stdin, 'answer');
  const question = meant((await loops.questions(record.run)) ?? [], call, 'answer');
  const picked = literal || 'because' in question ? typed.trim() : chosen(question, typed);
  const isChoice = picked !== typed.trim();
  const said = isChoice ? picked : typed;
  const taken = await loops.answer(record.run, { text: said, ...(call === undefined ? {} : { call }) });
  const what = isChoice ? `has the answer: ${oneLine(said, MAX_CHOICE_CHARS)}` : 'has the answer';
  return printCommandResult({ session, loops, record, call, what }, taken);
}
