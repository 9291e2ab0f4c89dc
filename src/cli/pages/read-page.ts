import { placeOf } from '../../detectors/detector.ts';
import type { LoopDefinition } from '../../kernel/loop-definition.ts';
import type { RunRecord } from '../../log/event-store.ts';
import type { Log } from '../../log/log.ts';
import type { Fact } from '../../log/read-event.ts';
import { summarise } from '../../projections/read-summary.ts';
import { readRemedy } from '../../projections/read-questions.ts';
import { readTimelineEntry } from '../../projections/read-timeline-entry.ts';
import { Account } from '../../projections/run-account.ts';
import type { IntactTree } from '../../runtime/intact.ts';
import { accountBelow } from '../../app/views/account-of.ts';
import { reportStatus } from './report-lines.ts';
import type { Page, PageWithoutStart } from './run-page.ts';
import { standingOf } from '../../app/views/run-status.ts';

/** Reads everything `show` knows of a run, whose tree `intact` is. Throws where its history was changed. */
export async function pageOf(
  log: Log,
  record: RunRecord,
  loops: readonly LoopDefinition[],
  intact: IntactTree,
): Promise<Page | PageWithoutStart> {
  const { run, parentEffect, forkedFrom, hash } = record;
  const continuedAs = (await log.runs()).filter((one) => one.forkedFrom?.run === run).map((one) => one.run);
  const standing = await standingOf(log, record, loops);
  const sums = new Account(loops);
  let isMigrated = false;
  const observe = (fact: Fact) => {
    sums.observe(fact);
    isMigrated ||= fact.type === 'run.migrated';
  };
  const { summary, unreadable } = await summarise(log, run, loops, { pages: intact.pages(), observe });
  const reports = (await log.undelivered(run)).map(reportStatus);
  if (!summary) return { run, reports, standing, parentEffect, continues: forkedFrom, continuedAs, hash, unreadable };
  const { spend, models, phases, retries, limits, limitedMs, replaced, steered, idleMs, asked, files } =
    await accountBelow(log, run, summary, loops, sums);
  const account = { spend, models, phases, retries, limits, limitedMs, replaced, steered, idleMs, asked, files };
  const remedy = await readRemedy(log, record, loops);
  const folded = isMigrated ? null : { run, machine: summary.machine };
  const evidence = await evidenceOf(log, summary.ending?.evidence ?? [], loops, folded);
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

/** The events that an ending rests on. `folded`: the run of the ending, where one machine has folded all of it. */
async function evidenceOf(
  log: Log,
  ids: readonly string[],
  loops: readonly LoopDefinition[],
  folded: { readonly run: string; readonly machine: string } | null,
): Promise<Page['evidence']> {
  const found = await Promise.all(
    ids.map(async (id) => {
      const event = placeOf(id);
      const machine = folded?.run === event.run ? folded.machine : null;
      const entry = await readTimelineEntry(log, event, loops, machine);
      return entry ? [{ id, ...entry }] : [];
    }),
  );
  return found.flat();
}
