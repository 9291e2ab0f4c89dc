import type { DatabaseSync } from 'node:sqlite';
import type { StoreAudit, StoreFault } from '../../store-audit.ts';
import type { UnreadNote } from '../heads.ts';
import type { OpenStore } from '../open-store.ts';
import { readable } from '../readable-rows.ts';
import { faultOfNote, warningsOf } from '../unread-notes.ts';
import { auditLeases, auditLoose, auditOutbox, auditSnapshots } from './beside-events.ts';
import { auditInbox } from './command-rows.ts';
import { Faults } from './faults.ts';
import { lateClaims, lateLeases, lateLeaseWarnings } from './late-leases.ts';
import { Owners } from './owners.ts';
import { auditRuns } from './run-rows.ts';
import { auditPages, auditStructure } from './structure.ts';

/** The audit of a SQLite log. It reads all tables in one transaction: other processes may be writing. */
export function sqliteAudit(store: OpenStore, db: DatabaseSync, unread: readonly UnreadNote[]): StoreAudit {
  // A row that cannot be read is one.
  const isListed = (run: string) => readable(() => store.tables.runs.find(run) !== null) ?? true;
  return {
    warnings: [...warningsOf(unread, isListed), ...lateLeaseWarnings(db, store.now)],
    audit: async () =>
      store.reading(() => [...unread.map((note) => faultOfNote(note, isListed)), ...faultsIn(db, store.now)]),
  };
}

function faultsIn(db: DatabaseSync, now: () => number): readonly StoreFault[] {
  const faults = new Faults();
  db.exec('BEGIN');
  try {
    auditPages(db, faults);
    auditStructure(db, faults);
    auditLoose(db, faults);
    const owners = new Owners(db);
    auditRuns(db, owners, faults);
    for (const late of [lateLeases, lateClaims])
      for (const { place, reason, remedy } of late(db, now)) faults.add(place, reason, remedy);
    for (const audit of [auditLeases, auditInbox, auditOutbox, auditSnapshots]) audit(db, owners, faults);
  } finally {
    db.exec('COMMIT');
  }
  return faults.all();
}
