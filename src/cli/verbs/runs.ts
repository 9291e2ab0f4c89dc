import type { Outcome } from '../../../machines/outcome.ts';
import type { Log, RunRecord } from '../../log/log.ts';
import { unreadableText } from '../../log/unreadable.ts';
import { summarise } from '../../projections/read-summary.ts';
import type { LoopDefinition } from '../../runtime/loop-definition.ts';
import { formatMoney, NANO_USD_PER_USD } from '../../config/money.ts';
import { endingName, oneLine, span } from '../../projections/wording.ts';
import { asJson } from '../as-json.ts';
import { shortId } from '../find-run.ts';
import { type Standing, standingName, standingOf } from '../standing.ts';
import type { Session } from '../session.ts';
import { columns } from '../table.ts';
import { wholeNumber } from '../whole-number.ts';

const MAX_PROMPT_CHARS = 70;

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
  /** Null where no price was known. What an attempt that is under way has cost is not in it yet. */
  readonly costUsd: number | null;
  /** Events that cannot be read here: `events` shows which, and what would read them. */
  readonly unreadable: number;
  readonly prompt: string;
}

/** The runs of a log, newest first. Attempts are shown with the run they belong to. */
export async function runs(
  session: Session,
  { json, limit }: { readonly json?: boolean; readonly limit: string },
): Promise<number> {
  const { out, err } = session.streams;
  const most = wholeNumber('--limit', limit);
  const { log, definitions } = await session.loops('read', { runs: 'all', otherwise: 'ignore' });
  const all = (await log.runs()).filter(({ parentEffect }) => parentEffect === null).toReversed();
  const listed = await Promise.all(all.slice(0, most).map((record) => listedAs(log, record, definitions)));
  await log.close();
  if (json) out.line(asJson(listed, 2));
  else for (const line of columns(listed.map((one) => row(one, Date.now())))) out.brief(line);
  if (listed.length === 0) err.line(`no runs yet. Try: ${session.again(['run', '--help'])}`);
  else if (all.length > listed.length) err.line(`${all.length - listed.length} more: --limit ${all.length}`);
  return 0;
}

async function listedAs(log: Log, record: RunRecord, loops: readonly LoopDefinition[]): Promise<Listed> {
  const { run, createdAt, updatedAt, version, forkedFrom } = record;
  const standing = await standingOf(log, record, loops);
  // Whether the log is what was written is for those to ask who build on it: a list is quick.
  const { summary: page, unreadable } = await summarise(log, run, loops);
  const costUsd = page?.spend.costNanoUsd === undefined ? null : page.spend.costNanoUsd / NANO_USD_PER_USD;
  const outcome = page?.ending?.outcome ?? null;
  const verdict = outcome && endingName(outcome, (page?.settings.checks.length ?? 0) > 0);
  const [first] = unreadable;
  const prompt = page?.settings.prompt ?? (first ? `cannot be read: ${first.type}: ${unreadableText(first)}` : '');
  return { run, standing, outcome, verdict, createdAt, updatedAt, version, continues: forkedFrom, costUsd, unreadable: unreadable.length, prompt };
}

const row = ({ run, standing, verdict, updatedAt, costUsd, unreadable, prompt }: Listed, now: number): string[] => [
  shortId(run),
  `${verdict ?? standingName(standing)}${unreadable === 0 ? '' : `, ${unreadable} unreadable`}`,
  `${span(Math.max(0, now - Date.parse(updatedAt)))} ago`,
  costUsd === null ? '' : formatMoney(costUsd * NANO_USD_PER_USD),
  oneLine(prompt, MAX_PROMPT_CHARS),
];
