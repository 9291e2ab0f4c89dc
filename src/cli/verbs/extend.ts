import { changeOf } from '../change.ts';
import { findRun, type RunReference } from '../find-run.ts';
import { refusal } from '../refusal.ts';
import { capsOf, type CapFlags, type FormatFlag } from '../run-flags.ts';
import { serve } from '../serve.ts';
import type { Session } from '../session.ts';
import { summaryOf } from '../summary-of.ts';

/** Goes on from a run that ended short of success, as a new run under other caps. The old one stays as it is. */
export async function extend(session: Session, reference: RunReference, flags: CapFlags & FormatFlag): Promise<number> {
  const loops = await session.loops('write');
  const { run } = await findRun(loops.log, reference);
  const change = changeOf(capsOf(flags), await summaryOf(loops.log, run));
  return serve({
    session,
    loops,
    format: flags.outputFormat,
    past: loops.log.read(run),
    begin: async (watch) => {
      const extended = await loops.extend(run, change, watch);
      if (extended.kind === 'live') return extended.live;
      throw refusal(extended, run);
    },
  });
}
