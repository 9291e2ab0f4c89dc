import { findRun, type RunReference } from '../find-run.ts';
import { tellHeard } from '../heard.ts';
import { readText } from '../prompt.ts';
import type { Session } from '../session.ts';

/** Says more about the task of a run: it is heard before the next answer of its model. */
export async function steer(session: Session, reference: RunReference, text: string): Promise<number> {
  const loops = await session.loops('write', { runs: [reference], otherwise: 'refuse' });
  const record = await findRun(loops.log, reference);
  const heard = await loops.steer(record.run, await readText(text, process.stdin, 'steer'));
  return tellHeard({ session, loops, record, what: 'will say so to its model before the next answer' }, heard);
}
