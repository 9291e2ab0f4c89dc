import type { Outcome } from '../../../machines/outcome.ts';
import { LogError } from '../../log/errors.ts';
import type { RunRecord } from '../../log/event-store.ts';
import { isOwed, type OutboxStore, type Report } from '../../log/outbox-store.ts';
import { amount, oneLine, plain, span } from '../../projections/phrases.ts';
import { clockTime } from '../../text/clock-time.ts';
import { formatMoney, NANO_USD_PER_USD } from '../../text/money.ts';
import { shortId } from '../args/find-run.ts';
import { type Standing, standingName } from './run-status.ts';

const MAX_TASK_CHARS = 70;

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
}

/** A run whose events cannot be read, which hides none of the others. Throws every other error. */
export function listedAsDamaged(record: RunRecord, error: unknown): Omit<Listed, 'owed'> {
  if (!(error instanceof LogError) || error.kind !== 'damaged') throw error;
  const { run, createdAt, updatedAt, version, forkedFrom: continues } = record;
  const told = { outcome: null, verdict: null, continues, waitsUntil: null, costUsd: null, unreadable: 0 };
  const task = `cannot be read: ${error.detail}`;
  const standing = { kind: 'damaged', reason: `${error.detail}. ${error.remedy}` } as const;
  return { run, standing, ...told, createdAt, updatedAt, version, prompt: task, task };
}

interface Owed {
  readonly owed: ReadonlyMap<string, readonly Report[]>;
  readonly damage: string | null;
}

/** The reports that are owed, by their run. Where they cannot be read, the runs can be listed all the same. */
export async function reportsOwed(log: OutboxStore): Promise<Owed> {
  try {
    return { owed: Map.groupBy((await log.undelivered()).filter(isOwed), ({ run }) => run), damage: null };
  } catch (error) {
    if (!(error instanceof LogError) || error.kind !== 'damaged') throw error;
    return { owed: new Map(), damage: `reports to webhooks: ${error.detail}. ${error.remedy}` };
  }
}

/** What is wrong with those that are damaged, a line each, and with their reports. */
export const damageIn = (listed: readonly Listed[], reports: string | null): readonly string[] => [
  ...damagedRuns(listed),
  ...(reports === null ? [] : [plain(reports)]),
];

const damagedRuns = (listed: readonly Listed[]): readonly string[] =>
  listed.flatMap(({ run, standing }) => (standing.kind === 'damaged' ? [`run ${run}: ${plain(standing.reason)}`] : []));

const nameOf = (standing: Listed['standing']): string =>
  standing.kind === 'damaged' ? standing.kind : standingName(standing);

/** A run in the list, by columns. `now`: milliseconds since 1970. */
export const listedRow = (
  { run, standing, verdict, updatedAt, waitsUntil, costUsd, unreadable, owed, task }: Listed,
  now: number,
): string[] => [
  shortId(run),
  [
    verdict ?? nameOf(standing),
    ...(waitsUntil !== null && Date.parse(waitsUntil) > now ? [`waits until ${clockTime(waitsUntil, now)}`] : []),
    ...(unreadable === 0 ? [] : [`${unreadable} unreadable`]),
    ...(owed ? [`${amount(owed, 'report')} owed`] : []),
  ].join(', '),
  `${span(Math.max(0, now - Date.parse(updatedAt)))} ago`,
  costUsd === null ? '' : formatMoney(costUsd * NANO_USD_PER_USD),
  oneLine(task, MAX_TASK_CHARS),
];
