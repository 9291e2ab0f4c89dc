import { findRun, type RunReference } from '../find-run.ts';
import { refusal } from '../refusal.ts';
import { capsOf, type CapFlags } from '../run-flags.ts';
import { serve } from '../serve.ts';
import type { Session } from '../session.ts';

/** Goes on from a run that ended short of success, as a new run under other caps. The old one stays as it is. */
export async function extend(session: Session, reference: RunReference, flags: CapFlags): Promise<number> {
  const format = await session.outputFormat();
  const loops = await session.loops('work');
  const { run } = await findRun(loops.log, reference);
  return serve({
    session,
    loops,
    format,
    past: loops.log.read(run),
    begin: async (watch) => {
      const extended = await loops.extend(run, capsOf(flags), watch);
      if (extended.kind === 'live') return extended.live;
      throw refusal(extended, run);
    },
  });
}
