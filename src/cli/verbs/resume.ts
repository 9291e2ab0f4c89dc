import type { OutputFormat } from '../../config/config.ts';
import type { Loops } from '../../hosts/local/loops.ts';
import { knownLoop } from '../../projections/loop-in-view.ts';
import type { RunSummary } from '../../projections/run-summary.ts';
import { endingName, plain } from '../../projections/wording.ts';
import { accountOf } from '../account-of.ts';
import { conclude } from '../conclude.ts';
import { exitOf } from '../exit-status.ts';
import { findRun, type RunReference } from '../find-run.ts';
import { wordsOf } from '../loop-words.ts';
import { nextCommands } from '../next.ts';
import { pastOf } from '../past.ts';
import { refusal } from '../refusal.ts';
import { resultOf } from '../result.ts';
import { serve } from '../serve.ts';
import type { Session } from '../session.ts';
import { summaryOf } from '../summary-of.ts';

/** Goes on with a run after a crash or a pause. One that is over says how it ended, with that ending's status. */
export async function resume(session: Session, reference: RunReference, how: { migrate?: boolean } = {}): Promise<number> {
  const format = await session.outputFormat();
  const loops = await session.loops('work', { runs: [reference], otherwise: 'refuse' });
  const { root } = await findRun(loops.log, reference);
  const over = await endedSummary(loops, root);
  if (over) return tellAgain(session, loops, root, over, format);
  return serve({
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

/** The run's page if nothing is left to do. One that ended by an error goes on as a new run. */
async function endedSummary({ log, definitions }: Loops, run: string): Promise<RunSummary | null> {
  const record = await log.run(run);
  if (!record?.closed) return null;
  const summary = await summaryOf(log, run, definitions);
  const outcome = summary.ending?.outcome;
  return outcome?.ending === 'abort' && outcome.cause === 'error' ? null : summary;
}

async function tellAgain(
  session: Session,
  { log, definitions }: Loops,
  run: string,
  summary: RunSummary,
  format: OutputFormat,
): Promise<number> {
  const { ending, settings } = summary;
  if (!ending) throw new Error(`run ${run} is closed without an ending`);
  const loop = knownLoop(summary.machine, definitions);
  const next = nextCommands(run, summary, loop).map((words) => session.again(words));
  const exit = exitOf(ending.outcome, settings.checks.length > 0);
  session.streams.err.line(`run ${run} has ended already: ${endingName(ending.outcome, settings.checks.length > 0)}: ${plain(ending.reason)}`);
  const account = await accountOf(log, run, summary, definitions);
  conclude(session.streams, format, resultOf(run, summary, { exit, state: 'ended', next, account }), wordsOf(loop));
  return exit;
}
