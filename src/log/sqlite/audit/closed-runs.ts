import type { DatabaseSync } from 'node:sqlite';
import { RESTORE } from '../../store-audit.ts';
import { EventsTable } from '../events-table.ts';
import { RunsTable } from '../runs-table.ts';
import type { Faults } from './faults.ts';
import { shapely } from './rows.ts';

/** The ending that the row of a run has, where its events say another one. The events count. */
export function auditClosedRuns(db: DatabaseSync, faults: Faults): void {
  const runs = new RunsTable(db, new EventsTable(db));
  const nameOf = ({ run }: { readonly run?: unknown }) => `runs, run ${String(run)}`;
  for (const { run, closed } of shapely(db, 'SELECT * FROM runs', nameOf, faults)) {
    const row = runs.find(String(run));
    const ending = row && runs.ending(row);
    if (ending !== closed)
      faults.add(
        nameOf({ run }),
        `its row says ${text(closed)}, and its events say ${text(ending)}: they count`,
        RESTORE,
      );
  }
}

const text = (ending: unknown): string => (ending === null ? 'that it is open' : String(ending));
