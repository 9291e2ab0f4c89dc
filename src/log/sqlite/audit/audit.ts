import type { DatabaseSync } from 'node:sqlite';
import { type StoreAudit, type StoreFault, RESTORE } from '../../log.ts';
import type { UnreadNote } from '../heads.ts';
import type { OpenStore } from '../open-store.ts';
import { readable } from '../readable-rows.ts';
import { faultOfNote, warningsOf } from '../repair.ts';
import { auditLeases, auditLoose, auditOutbox, auditSnapshots } from './beside-events.ts';
import { auditInbox } from './command-rows.ts';
import { Faults } from './rows.ts';
import { lateClaims, lateLeases, lateLeaseWarnings } from './late-leases.ts';
import { Owners } from './owners.ts';
import { auditRuns } from './run-rows.ts';
import { openDatabase } from '../database.ts';
import { SCHEMA, SCHEMA_VERSION, TABLES } from '../schema.ts';
import { foreignTriggers, otherIndexes } from '../schema-parts.ts';

const MAX_PAGE_FAULTS = 20;

/** What SQLite itself finds wrong: pages, indexes, and values that a column does not take. */
function auditPages(db: DatabaseSync, faults: Faults): void {
  const found = db.prepare(`PRAGMA main.integrity_check(${MAX_PAGE_FAULTS})`).all() as { integrity_check: string }[];
  for (const { integrity_check: said } of found) if (said !== 'ok') faults.add('the database', said, RESTORE);
}

/**
 * Indexes, triggers and columns that a store of this version has, as it has them, and no other trigger. Of an earlier
 * version: tables that came later.
 */
function auditStructure(db: DatabaseSync, faults: Faults): void {
  const { user_version: version } = db.prepare('PRAGMA main.user_version').get() as { user_version: number };
  for (const fault of [...foreignTriggers(db), ...otherIndexes(db)]) faults.add('the database', fault, RESTORE);
  const model = openDatabase(':memory:');
  try {
    model.exec(SCHEMA);
    const here = new Set(partsOf(db));
    const ours = new Set(partsOf(model));
    if (version !== SCHEMA_VERSION) return auditEarlier(db, { version, ours }, faults);
    for (const part of ours) if (!here.has(part)) faults.add('the database', `${part} is missing`, RESTORE);
  } finally {
    model.close();
  }
}

interface Earlier {
  readonly version: number;
  /** What a store of today's version has. */
  readonly ours: ReadonlySet<string>;
}

function auditEarlier(db: DatabaseSync, { version, ours }: Earlier, faults: Faults): void {
  const here = new Set(partsOf(db));
  // An upgrade would make a second time what is there, and fail.
  if ([...ours].every((part) => here.has(part)))
    faults.add('the database', `its schema says version ${version}, and it is of version ${SCHEMA_VERSION}`, RESTORE);
  for (const [table, since] of TABLES)
    if (since > version && here.has(`the table ${table}`))
      faults.add('the database', `its schema is of version ${version}, and the table ${table} came later`, RESTORE);
}

function partsOf(db: DatabaseSync): string[] {
  const objects = db.prepare('SELECT type, name FROM main.sqlite_schema').all() as { type: string; name: string }[];
  return objects.flatMap(({ type, name }) => [
    `the ${type} ${name}`,
    ...(type === 'table' ? columnsOf(db, name).map((column) => `the column ${column} of the table ${name}`) : []),
  ]);
}

const columnsOf = (db: DatabaseSync, table: string): string[] =>
  (db.prepare(`SELECT name FROM pragma_table_info(?, 'main')`).all(table) as { name: string }[]).map(
    ({ name }) => name,
  );

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
