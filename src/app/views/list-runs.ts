import type { Outcome } from '../../../machines/outcome.ts';
import type { RunSettings } from '../../../machines/settings.ts';
import type { LoopDefinition } from '../../kernel/loop-definition.ts';
import { LogError, type Log } from '../../log/log.ts';
import type { RunRecord } from '../../log/event-store.ts';
import { isOwed, type OutboxStore, type Report } from '../../log/outbox-store.ts';
import { unreadableText } from '../../log/unreadable.ts';
import { OpenRun } from '../../projections/open-run.ts';
import { endingName } from '../../projections/phrases.ts';
import { summarise } from '../../projections/read-summary.ts';
import { NANO_USD_PER_USD } from '../../text/money.ts';
import { type Standing, statusOf } from './run-status.ts';

/** Events of the run cannot be read, in a log whose other runs can. `reason`: what was found, and what to do. */
interface Damaged {
  readonly kind: 'damaged';
  readonly reason: string;
}

/** A run as the list of runs has it. */
export interface Listed {
  readonly run: string;
  readonly standing: Standing | Damaged;
  readonly outcome: Outcome | null;
  /** The outcome in words, whether it is proven among them. */
  readonly verdict: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly version: number;
  readonly continues: { readonly run: string; readonly version: number } | null;
  /** Until when it waits, as for a limit of its provider (RFC 3339). Null: for nothing that has a time. */
  readonly waitsUntil: string | null;
  /** Null if no price was known. An unfinished attempt's cost is not included yet. */
  readonly costUsd: number | null;
  /** Events that cannot be read here: `events` shows which, and what would read them. */
  readonly unreadable: number;
  /** Reports to webhooks that are not delivered yet: `show` says why. Null where those of the log cannot be read. */
  readonly owed: number | null;
  readonly prompt: string;
  /** The task in force, which people may have edited since the prompt. */
  readonly task: string;
  /** The name of its loop. Null where its start cannot be read. */
  readonly loop: string | null;
  /** The label that chose its loop. */
  readonly label: string | null;
}

/** A run whose events cannot be read, which hides none of the others. Throws every other error. */
function listedAsDamaged(record: RunRecord, error: unknown): Omit<Listed, 'owed'> {
  if (!(error instanceof LogError) || error.kind !== 'damaged') throw error;
  const { run, createdAt, updatedAt, version, forkedFrom: continues } = record;
  const told = {
    outcome: null,
    verdict: null,
    continues,
    waitsUntil: null,
    costUsd: null,
    unreadable: 0,
    loop: null,
    label: null,
  };
  const task = `cannot be read: ${error.detail}`;
  const standing = { kind: 'damaged', reason: `${error.detail}. ${error.remedy}` } as const;
  return { run, standing, ...told, createdAt, updatedAt, version, prompt: task, task };
}

interface Owed {
  readonly owed: ReadonlyMap<string, readonly Report[]>;
  readonly damage: string | null;
}

/** The reports that are owed, by their run. Where they cannot be read, the runs can be listed all the same. */
async function reportsOwed(log: OutboxStore): Promise<Owed> {
  try {
    return { owed: Map.groupBy((await log.undelivered()).filter(isOwed), ({ run }) => run), damage: null };
  } catch (error) {
    if (!(error instanceof LogError) || error.kind !== 'damaged') throw error;
    return { owed: new Map(), damage: `reports to webhooks: ${error.detail}. ${error.remedy}` };
  }
}

/** Runs as they are listed, in the given order. A damaged run hides none of the others. */
export async function listedRuns(
  log: Log,
  records: readonly RunRecord[],
  loops: readonly LoopDefinition[],
): Promise<{ readonly listed: readonly Listed[]; readonly damage: string | null }> {
  const reports = await reportsOwed(log);
  const listed = await Promise.all(
    records.map(async (record) => ({
      ...(await listedAs(log, record, loops).catch((error: unknown) => listedAsDamaged(record, error))),
      owed: reports.damage === null ? (reports.owed.get(record.run)?.length ?? 0) : null,
    })),
  );
  return { listed, damage: reports.damage };
}

async function listedAs(log: Log, record: RunRecord, loops: readonly LoopDefinition[]): Promise<Omit<Listed, 'owed'>> {
  const { run, createdAt, updatedAt, version, forkedFrom } = record;
  const open = record.closed === null ? new OpenRun(loops) : undefined;
  // The list does not verify hash chains: the verbs that build on a run do.
  const { summary: page, unreadable } = await summarise(log, run, loops, { observe: (fact) => open?.observe(fact) });
  const { standing, waitsUntil } = await statusOf(log, record, loops, open);
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
    waitsUntil,
    costUsd,
    unreadable: unreadable.length,
    prompt,
    task: page?.task ?? prompt,
    loop: page?.settings.loop ?? null,
    label: page ? labelOf(page.settings) : null,
  };
}

/** A loop that a label can choose keeps it among its options. */
function labelOf({ options }: Pick<RunSettings, 'options'>): string | null {
  const { label } = Object(options) as { readonly label?: unknown };
  return typeof label === 'string' ? label : null;
}
