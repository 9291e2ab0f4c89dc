import type { RecordedRuns } from '../records/runs-of-log.ts';
import { runOfEffect } from '../../log/effect-names.ts';
import type { RunRecord } from '../../log/event-store.ts';
import { knownLoop } from '../../projections/loop-in-view.ts';
import { accountBelow, summariseWithAccount } from './account-of.ts';
import { endingView, evidenceOf } from './ending-view.ts';
import { readLimits } from './limit-views.ts';
import { nextViews } from './next-views.ts';
import { checkViews, fileViews, roundViews, tableView } from './round-views.ts';
import { standingOf } from './run-status.ts';
import type { RunView } from './run-parts-view.ts';
import { MAX_LINE_CHARS, shownText } from './line-for-view.ts';
import { standingView } from './status-view.ts';
import { readWaiting } from './wait-view.ts';
import type { Account } from '../../projections/run-account.ts';

type Host = Pick<RecordedRuns, 'log' | 'definitions'>;

/** The page of a run as data, cleaned for people. Null where its start cannot be read. */
export async function readRunView(host: Host, record: RunRecord): Promise<RunView | null> {
  const { log, definitions: loops } = host;
  const { run, root, parentEffect, forkedFrom } = record;
  const { summary, unreadable, account } = await summariseWithAccount(log, run, loops);
  if (!summary) return null;
  const standing = await standingOf(log, record, loops);
  const [sums, waiting, limits, all] = await Promise.all([
    accountBelow(log, run, summary, loops, account),
    readWaiting(host, record, standing),
    readLimits(host, run, summary),
    log.runs(),
  ]);
  const { settings, verification } = summary;
  return {
    run,
    root,
    parent: parentEffect === null ? null : runOfEffect(parentEffect),
    loop: settings.loop,
    machine: summary.machine,
    strategy: summary.strategy,
    model: shownText(settings.model, MAX_LINE_CHARS),
    directory: shownText(settings.directory, MAX_LINE_CHARS),
    task: shownText(summary.task),
    standing: standingView(standing),
    ending: await endingView(host, run, summary),
    next: nextViews({ ending: summary.ending, remedy: waiting.remedy }, standing),
    startedAt: summary.startedAt,
    at: summary.at,
    version: summary.version,
    continues: forkedFrom,
    continuedAs: all.filter((one) => one.forkedFrom?.run === run).map((one) => one.run),
    summary: summary.text === null ? null : shownText(summary.text),
    answer: shownText(summary.answer),
    rounds: [...roundViews(summary.iterations)],
    table: tableView(summary.table),
    checks: checkViews(verification?.levels ?? [], []),
    checksPassed: verification && verification.levels.length > 0 ? verification.passed : null,
    ...evidenceOf(summary),
    files: fileViews(sums.files),
    ...waiting,
    warnings: summary.warnings.map((warning) => shownText(warning, MAX_LINE_CHARS)),
    findings: summary.findings.map(({ version, detector, level, message }) => ({
      version,
      detector,
      level,
      message: shownText(message, MAX_LINE_CHARS),
    })),
    limits,
    ...spentView(sums),
    children: all.flatMap((one) => (one.parentEffect && runOfEffect(one.parentEffect) === run ? [one.run] : [])),
    isReported: knownLoop(summary.machine, loops)?.describe.report !== undefined,
    unreadable: unreadable.length,
  };
}

/** What a run and all below it have used, by model and by phase. */
function spentView({ spend, models, phases, retries, idleMs }: Account) {
  return {
    models: models.map(({ estimatedTokens: _, unpriced: __, priceSources: ___, ...model }) => ({
      ...model,
      model: shownText(model.model, MAX_LINE_CHARS),
    })),
    phases: phases.map((phase) => ({ ...phase })),
    toolCalls: spend.toolCalls,
    tokens: spend.inputTokens + spend.outputTokens,
    costNanoUsd: spend.costNanoUsd ?? null,
    retries,
    idleMs,
  };
}
