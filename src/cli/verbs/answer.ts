import { findRun, type RunReference } from '../find-run.ts';
import { tellHeard } from '../heard.ts';
import { readText } from '../prompt.ts';
import type { Session } from '../session.ts';

/** Answers what a run asks, whoever serves it, or nobody. */
export async function answer(
  session: Session,
  reference: RunReference,
  { text, call }: { readonly text: string; readonly call?: string },
): Promise<number> {
  const loops = await session.loops('write', { runs: [reference], otherwise: 'refuse' });
  const record = await findRun(loops.log, reference);
  const said = await readText(text, process.stdin, 'answer');
  const heard = await loops.answer(record.run, { text: said, ...(call === undefined ? {} : { call }) });
  return tellHeard({ session, loops, record, call, what: 'has the answer' }, heard);
}
