import type { Outcome } from '../../../machines/outcome.ts';
import type { Log } from '../../log/log.ts';
import type { RunRecord } from '../../log/event-store.ts';
import { isOwed } from '../../log/outbox-store.ts';
import { unreadableText } from '../../log/unreadable.ts';
import { summarise } from '../../projections/read-summary.ts';
import type { LoopDefinition } from '../../kernel/loop-definition.ts';
import { formatMoney, NANO_USD_PER_USD } from '../../text/money.ts';
import { amount, endingName, oneLine, span } from '../../projections/phrases.ts';
import { asJson } from '../pages/as-json.ts';
import { shortId } from '../args/find-run.ts';
import { type Standing, standingName, standingOf } from '../pages/run-status.ts';
import type { Session } from '../session.ts';
import { columns } from '../pages/table.ts';
import { wholeNumber } from '../args/whole-number.ts';

const MAX_TASK_CHARS = 70;

interface Listed {
  readonly run: string;
  readonly standing: Standing;
  readonly outcome: Outcome | null;
  /** The outcome in words, whether it is proven among them. */
  readonly verdict: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly version: number;
  readonly continues: { readonly run: string; readonly version: number } | null;
  /** Null if no price was known. An unfinished attempt's cost is not included yet. */
  readonly costUsd: number | null;
  /** Events that cannot be read here: `events` shows which, and what would read them. */
  readonly unreadable: number;
  /** Reports to webhooks that are not delivered yet: `show` says why. */
  readonly owed: number;
  readonly prompt: string;
  /** The task in force, which people may have edited since the prompt. */
  readonly task: string;
}

/** The runs of a log, newest first. Attempts are shown with the run they belong to. */
export async function runs(
  session: Session,
  { json, limit }: { readonly json?: boolean; readonly limit: string },
): Promise<number> {
  const { out, err } = session.streams;
  const most = wholeNumber('--limit', limit);
  const { log, definitions } = await session.reading({ runs: { newest: most }, otherwise: 'ignore' });
  const { runs: newest, more } = await log.newest(most);
  const owed = Map.groupBy((await log.undelivered()).filter(isOwed), ({ run }) => run);
  const listed = await Promise.all(
    newest.map(async (record) => ({
      ...(await listedAs(log, record, definitions)),
      owed: owed.get(record.run)?.length ?? 0,
    })),
  );
  await log.close();
  if (json) out.line(asJson(listed, 2));
  else for (const line of columns(listed.map((one) => row(one, Date.now())))) out.brief(line);
  if (listed.length === 0) err.line(`no runs yet. Try: ${session.again(['run', '--help'])}`);
  else if (more > 0) err.line(`${more} more: --limit ${listed.length + more}`);
  return 0;
}

async function listedAs(log: Log, record: RunRecord, loops: readonly LoopDefinition[]): Promise<Omit<Listed, 'owed'>> {
  const { run, createdAt, updatedAt, version, forkedFrom } = record;
  const standing = await standingOf(log, record, loops);
  // The list does not verify hash chains: the verbs that build on a run do.
  const { summary: page, unreadable } = await summarise(log, run, loops);
  const costUsd = page?.spend.costNanoUsd === undefined ? null : page.spend.costNanoUsd / NANO_USD_PER_USD;
  const outcome = page?.ending?.outcome ?? null;
  const verdict = outcome && endingName(outcome, (page?.settings.checks.length ?? 0) > 0);
  const [first] = unreadable;
  const prompt = page?.settings.prompt ?? (first ? `cannot be read: ${first.type}: ${unreadableText(first)}` : '');
  return {
    run,
    standing,
    outcome,
    verdict,
    createdAt,
    updatedAt,
    version,
    continues: forkedFrom,
    costUsd,
    unreadable: unreadable.length,
    prompt,
    task: page?.task ?? prompt,
  };
}

const row = ({ run, standing, verdict, updatedAt, costUsd, unreadable, owed, task }: Listed, now: number): string[] => [
  shortId(run),
  [
    verdict ?? standingName(standing),
    ...(unreadable === 0 ? [] : [`${unreadable} unreadable`]),
    ...(owed === 0 ? [] : [`${amount(owed, 'report')} owed`]),
  ].join(', '),
  `${span(Math.max(0, now - Date.parse(updatedAt)))} ago`,
  costUsd === null ? '' : formatMoney(costUsd * NANO_USD_PER_USD),
  oneLine(task, MAX_TASK_CHARS),
];
