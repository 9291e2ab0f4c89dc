import { type RunReference, takenRunFor } from '../args/find-run.ts';
import { talking } from '../pages/next-commands.ts';
import { printCommandResult } from '../live/command-result.ts';
import { readText } from '../args/read-prompt.ts';
import type { Session } from '../session.ts';

/** Adds to the task of a run: the model reads it before its next answer. */
export async function steer(session: Session, reference: RunReference, text: string): Promise<number> {
  const loops = await session.loops('write', { runs: [reference], otherwise: 'refuse', unlessOwned: true });
  const record = await takenRunFor(text, session, loops.log, reference);
  const heard = await loops.steer(record.run, await readText(text, process.stdin, 'steer'));
  const what = 'will tell its model before the next answer';
  return printCommandResult({ session, loops, record, what, ifEnded: talking(record.run) }, heard);
}
