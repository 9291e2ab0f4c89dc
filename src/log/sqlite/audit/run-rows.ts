import type { DatabaseSync } from 'node:sqlite';
import { MAX_CLOCK_AHEAD_MS } from '../../lease-store.ts';
import { RESTORE } from '../../log.ts';
import { EventsTable } from '../events-table.ts';
import { type RunRow, RunsTable } from '../runs-table.ts';
import { type Faults, shapely } from './rows.ts';
import type { Owners } from './owners.ts';

/** What rows of runs say and their events do not, which count: where they end, what they continue, when they began. */
export function auditRuns(db: DatabaseSync, owners: Owners, faults: Faults): void {
  const runs = new RunsTable(db, new EventsTable(db));
  const nameOf = ({ run }: { readonly run?: unknown }) => `runs, run ${String(run)}`;
  for (const { run } of shapely(db, 'SELECT * FROM runs', nameOf, faults)) {
    const row = runs.find(String(run));
    if (row === null) continue;
    const ending = runs.ending(row);
    const reasons = [
      ...(ending === row.closed
        ? []
        : [`its row says ${text(row.closed)}, and its events say ${text(ending)}: they count`]),
      ...prefixMisfits(row, owners),
      ...(beginOf(row, owners) === row.created_at ? [] : ['the column created_at holds another time than its events']),
    ];
    for (const reason of reasons) faults.add(nameOf({ run }), reason, RESTORE);
  }
}

const text = (ending: string | null): string => (ending === null ? 'that it is open' : ending);

function prefixMisfits({ run, prefix, prefix_version: shared }: RunRow, owners: Owners): readonly string[] {
  if (prefix === null) return shared === 0 ? [] : [`it shares ${shared} versions, and continues no run`];
  return owners.eventOf(run, shared) === null
    ? [`it continues version ${shared} of a run that has none in the log`]
    : [];
}

/**
 * When a run began: with its first event, or, where it continues another one, not before what they share, as far as
 * clocks tell. `created_at` where that fits, else the time of that event.
 */
export function beginOf({ run, prefix, prefix_version: shared, created_at: noted }: RunRow, owners: Owners): number {
  const event = owners.eventOf(run, prefix === null ? 1 : shared);
  if (event === null) return noted;
  const at = Date.parse(event.at);
  return prefix === null || noted < at - MAX_CLOCK_AHEAD_MS ? at : noted;
}
