import type { Log, RunRecord } from '../../log/log.ts';
import type { RunSummary } from '../../projections/run-summary.ts';
import { findRun, type RunReference } from '../find-run.ts';
import { type CommandWords, nextCommands } from '../next.ts';
import { page, type Page } from '../page.ts';
import type { Session } from '../session.ts';
import { standingOf } from '../standing.ts';
import { summaryOf } from '../summary-of.ts';

/** One run on one page: how it ended and why, what that rests on, its iterations, what it used, where it leads. */
export async function show(
  session: Session,
  reference: RunReference,
  { json }: { readonly json?: boolean },
): Promise<number> {
  const { out, err } = session.streams;
  const { log } = await session.loops('read');
  const record = await findRun(log, reference);
  const shown = await pageOf(log, record);
  await log.close();
  const next = nextOf(record, shown).map((words) => session.again(words));
  if (json) out.line(JSON.stringify({ ...shown, next }, null, 2));
  else {
    for (const line of page(shown, out.colours)) out.line(line);
    for (const command of next) err.line(`${err.colours.dim('next')}  ${command}`);
  }
  return 0;
}

async function pageOf(log: Log, record: RunRecord): Promise<Page> {
  const { run, parentEffect, forkedFrom, hash } = record;
  const continuedAs = (await log.runs()).filter((one) => one.forkedFrom?.run === run).map((one) => one.run);
  const standing = await standingOf(log, record);
  return { run, standing, parentEffect, continues: forkedFrom, continuedAs, hash, ...(await summaryOf(log, run)) };
}

/** Nothing is suggested for a run that its parent speaks for, or that somebody serves. */
function nextOf({ run, root }: RunRecord, { standing, ...summary }: Page & RunSummary): readonly CommandWords[] {
  if (standing.kind === 'running') return [['events', run, '--follow'], ['abort', run]];
  if (root !== run) return [['show', root]];
  return nextCommands(run, summary).filter(([verb]) => verb !== 'show');
}
