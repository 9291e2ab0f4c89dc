import { OptionsError } from '../../app/start/options-error.ts';
import { sharedPastOf } from '../pages/past-facts.ts';
import { findRun, type RunReference } from '../args/find-run.ts';
import { liveOrRefused } from '../pages/refusal-text.ts';
import { changesOf, type ChangeFlags } from '../args/run-flags.ts';
import { watchRun } from '../live/watch-run.ts';
import type { Session } from '../session.ts';

/**
 * Continues a run that did not succeed, as a new run with other limits, strategy or detectors. The old run stays as it
 * is.
 */
export async function extend(session: Session, reference: RunReference, flags: ChangeFlags): Promise<number> {
  const { changes, faults } = changesOf(flags);
  if (faults.length > 0) throw new OptionsError(faults);
  const format = await session.outputFormat();
  const loops = await session.loops('work', { runs: [reference], otherwise: 'refuse' });
  const { run } = await findRun(loops.log, reference);
  return watchRun({
    session,
    loops,
    format,
    past: sharedPastOf(loops.log, run, loops.definitions),
    begin: async (watch) => liveOrRefused(await loops.extend(run, changes, watch), run),
  });
}
