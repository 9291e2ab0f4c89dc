import type { Listed } from '../../app/views/list-runs.ts';
import { standingName } from '../../app/views/run-status.ts';
import { amount, oneLine, plain, span } from '../../projections/phrases.ts';
import { clockTime } from '../../text/clock-time.ts';
import { formatMoney, NANO_USD_PER_USD } from '../../text/money.ts';
import { shortId } from '../args/find-run.ts';

const MAX_TASK_CHARS = 70;

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
