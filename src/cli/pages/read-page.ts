import type { LoopDefinition } from '../../kernel/loop-definition.ts';
import type { RunRecord } from '../../log/event-store.ts';
import type { Log } from '../../log/log.ts';
import { summarise } from '../../projections/read-summary.ts';
import { readRemedy } from '../../projections/read-questions.ts';
import { readTimelineEntry } from '../../projections/read-timeline-entry.ts';
import { assertIntact } from '../../runtime/intact.ts';
import { accountOf } from './account-of.ts';
import { reportStatus } from './report-lines.ts';
import type { Page, PageWithoutStart } from './run-page.ts';
import { standingOf } from './run-status.ts';

/** Reads everything `show` knows of a run. Throws where its history was changed. */
export async function pageOf(
  log: Log,
  record: RunRecord,
  loops: readonly LoopDefinition[],
): Promise<Page | PageWithoutStart> {
  const { run, parentEffect, forkedFrom, hash } = record;
  const continuedAs = (await log.runs()).filter((one) => one.forkedFrom?.run === run).map((one) => one.run);
  const standing = await standingOf(log, record, loops);
  await assertIntact(log, run);
  const { summary, unreadable } = await summarise(log, run, loops);
  const reports = (await log.undelivered(run)).map(reportStatus);
  if (!summary) return { run, reports, standing, parentEffect, continues: forkedFrom, continuedAs, hash, unreadable };
  const { spend, models, phases, retries, limits, limitedMs, replaced, steered, idleMs, asked, files } =
    await accountOf(log, run, summary, loops);
  const account = { spend, models, phases, retries, limits, limitedMs, replaced, steered, idleMs, asked, files };
  const remedy = await readRemedy(log, record, loops);
  const evidence = await evidenceOf(log, summary.ending?.evidence ?? [], loops);
  return {
    run,
    standing,
    parentEffect,
    continues: forkedFrom,
    continuedAs,
    hash,
    reports,
    evidence,
    account,
    unreadable,
    remedy: remedy?.text ?? null,
    ...summary,
  };
}

/** The events that an ending rests on. */
async function evidenceOf(
  log: Log,
  ids: readonly string[],
  loops: readonly LoopDefinition[],
): Promise<Page['evidence']> {
  const found = await Promise.all(
    ids.map(async (id) => {
      const at = id.lastIndexOf('/');
      const entry = await readTimelineEntry(log, { run: id.slice(0, at), version: Number(id.slice(at + 1)) }, loops);
      return entry ? [{ id, ...entry }] : [];
    }),
  );
  return found.flat();
}
