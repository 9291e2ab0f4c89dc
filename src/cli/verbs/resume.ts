import { findRun, type RunReference } from '../args/find-run.ts';
import { endedSummary, printEndedRun } from '../live/ended-run.ts';
import { watchRun } from '../live/watch-run.ts';
import { pastOf } from '../pages/past-facts.ts';
import { refusal } from '../pages/refusal-text.ts';
import type { Session } from '../session.ts';

/** Resumes a run after a crash or a pause. For a run that has ended it prints the ending and exits with its status. */
export async function resume(
  session: Session,
  reference: RunReference,
  how: { migrate?: boolean } = {},
): Promise<number> {
  const format = await session.outputFormat();
  const loops = await session.loops('work', { runs: [reference], otherwise: 'refuse' });
  const { root } = await findRun(loops.log, reference);
  const over = await endedSummary(loops, root);
  if (over) return printEndedRun(session, loops, root, over, format);
  return watchRun({
    session,
    loops,
    format,
    past: pastOf(loops.log, root, loops.definitions),
    begin: async (watch) => {
      const resumed = await loops.resume(root, watch, how);
      if (resumed.kind === 'live') return resumed.live;
      throw refusal(resumed, root);
    },
  });
}
