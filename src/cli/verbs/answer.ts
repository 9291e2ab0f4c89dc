import { findRun, type RunReference } from '../args/find-run.ts';
import { printCommandResult } from '../live/command-result.ts';
import { readText } from '../args/read-prompt.ts';
import type { Session } from '../session.ts';

/** Answers a question of a run, owned by a process or not. */
export async function answer(
  session: Session,
  reference: RunReference,
  { text, call }: { readonly text: string; readonly call?: string },
): Promise<number> {
  const loops = await session.loops('write', { runs: [reference], otherwise: 'refuse' });
  const record = await findRun(loops.log, reference);
  const said = await readText(text, process.stdin, 'answer');
  const heard = await loops.answer(record.run, { text: said, ...(call === undefined ? {} : { call }) });
  return printCommandResult({ session, loops, record, call, what: 'has the answer' }, heard);
}
