import type { OutputFormat } from '../../config/config.ts';
import type { App } from '../../app/app.ts';
import { knownLoop } from '../../projections/loop-in-view.ts';
import { endingName, plain } from '../../projections/phrases.ts';
import type { RunSummary } from '../../projections/run-summary.ts';
import { accountOf } from '../../app/views/account-of.ts';
import { knownChange } from '../pages/change-page.ts';
import { wordsOf } from '../pages/loop-text.ts';
import { nextOnceOver } from '../pages/next-after.ts';
import { owedStatus } from '../pages/report-lines.ts';
import { resultOf } from '../pages/result.ts';
import { summaryOf } from '../pages/summary-of.ts';
import type { Session } from '../session.ts';
import { exitOf } from '../terminal/exit-status.ts';
import { conclude } from './conclude.ts';

/** The run's summary if nothing is left to do. A run that ended by an error continues as a new run. */
export async function endedSummary({ log, definitions }: App, run: string): Promise<RunSummary | null> {
  const record = await log.run(run);
  if (!record?.closed) return null;
  const summary = await summaryOf(log, run, definitions);
  const outcome = summary.ending?.outcome;
  return outcome?.ending === 'abort' && outcome.cause === 'error' ? null : summary;
}

/** Prints how a run ended once more. Returns the exit status of its ending. */
export async function printEndedRun(
  session: Session,
  loops: App,
  run: string,
  summary: RunSummary,
  format: OutputFormat,
): Promise<number> {
  const { log, definitions } = loops;
  const { ending, settings } = summary;
  if (!ending) throw new Error(`run ${run} is closed without an ending`);
  const loop = knownLoop(summary.machine, definitions);
  const next = await nextOnceOver(session, loops, run, summary);
  const exit = exitOf(ending.outcome, settings.checks.length > 0);
  session.streams.err.line(
    `run ${run} has ended already: ${endingName(ending.outcome, settings.checks.length > 0)}: ${plain(ending.reason)}`,
  );
  const account = await accountOf(log, run, summary, definitions);
  const owed = owedStatus(await log.undelivered(run));
  const deciding = (await knownChange(() => loops.diff(run)))?.deciding ?? [];
  const around = { exit, state: 'ended' as const, next, account, owed, deciding };
  conclude(session.streams, format, resultOf(run, summary, around), wordsOf(loop));
  return exit;
}
