import { findRun, newestOpen, type RunReference, shortId } from '../args/find-run.ts';
import { endedSummary, printEndedRun } from '../live/end-of-run.ts';
import type { App } from '../../app/app.ts';
import { knownLoop } from '../../projections/loop-in-view.ts';
import { endingName } from '../../projections/phrases.ts';
import type { HowResumed } from '../../runtime/resume-run.ts';
import type { RunSummary } from '../../projections/run-summary.ts';
import { watchRun } from '../live/watch-run.ts';
import { type Complaint, usage } from '../pages/complaint.ts';
import { nextCommands, talking } from '../pages/next-commands.ts';
import { pastOf } from '../pages/past-facts.ts';
import { liveOrRefused } from '../pages/refusal-text.ts';
import type { Session } from '../session.ts';

/**
 * Resumes a run after a crash or a pause. For a named run that has ended it prints the ending and exits with its
 * status; where none is named, some run has to be open.
 */
export async function resume(
  session: Session,
  asked: RunReference,
  how: Pick<HowResumed, 'migrate' | 'takeOver'> = {},
): Promise<number> {
  const format = await session.outputFormat();
  const reference = { ...asked, isToContinue: true };
  const loops = await session.loops('work', { runs: [reference], otherwise: 'refuse' });
  const { root } = await findRun(loops.log, reference);
  const over = await endedSummary(loops, root);
  if (over && asked.run === undefined) throw await noneOpen(loops, root, over);
  if (over) return printEndedRun(session, loops, root, over, format);
  return watchRun({
    session,
    loops,
    format,
    past: pastOf(loops.log, root, loops.definitions),
    begin: async (watch) => liveOrRefused(await loops.resume(root, watch, how), root),
  });
}

/** Nothing is left to resume, or only a run that is older than one which a person has aborted. */
async function noneOpen({ log, definitions }: App, run: string, over: RunSummary): Promise<Complaint> {
  const open = await newestOpen(log);
  const id = shortId(run);
  const ending = over.ending && endingName(over.ending.outcome, over.settings.checks.length > 0);
  const [first] = nextCommands(run, over, knownLoop(over.machine, definitions));
  const next = first === undefined || over.ending?.outcome.ending === 'success' ? talking(run) : first;
  const expected = open
    ? 'a run: the newest has ended, an older one has not'
    : 'a run that has not ended; this log has none';
  return usage(
    'RUN',
    expected,
    `the newest, ${id}, which ended: ${ending}`,
    open ? ['resume', shortId(open.run)] : next,
  );
}
