import { OptionsError } from '../../hosts/local/options-error.ts';
import { readableFacts } from '../../projections/fact.ts';
import { findRun, type RunReference } from '../find-run.ts';
import { refusal } from '../refusal.ts';
import { changesOf, type ChangeFlags } from '../run-flags.ts';
import { serve } from '../serve.ts';
import type { Session } from '../session.ts';

/** Goes on from a run that ended short of success, as a new run under other limits, or with another judge. The old one stays as it is. */
export async function extend(session: Session, reference: RunReference, flags: ChangeFlags): Promise<number> {
  const { changes, faults } = changesOf(flags);
  if (faults.length > 0) throw new OptionsError(faults);
  const format = await session.outputFormat();
  const loops = await session.loops('work', { runs: [reference], otherwise: 'refuse' });
  const { run } = await findRun(loops.log, reference);
  return serve({
    session,
    loops,
    format,
    past: readableFacts(loops.log, run, loops.definitions),
    begin: async (watch) => {
      const extended = await loops.extend(run, changes, watch);
      if (extended.kind === 'live') return extended.live;
      throw refusal(extended, run);
    },
  });
}
