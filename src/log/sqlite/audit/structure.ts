import type { DatabaseSync } from 'node:sqlite';
import { openDatabase } from '../database.ts';
import { SCHEMA, SCHEMA_VERSION, TABLES } from '../schema.ts';
import { foreignTriggers, otherIndexes } from '../schema-parts.ts';
import { RESTORE } from '../../store-audit.ts';
import type { Faults } from './faults.ts';

const MAX_PAGE_FAULTS = 20;

/** What SQLite itself finds wrong: pages, indexes, and values that a column does not take. */
export function auditPages(db: DatabaseSync, faults: Faults): void {
  const found = db.prepare(`PRAGMA main.integrity_check(${MAX_PAGE_FAULTS})`).all() as { integrity_check: string }[];
  for (const { integrity_check: said } of found) if (said !== 'ok') faults.add('the database', said, RESTORE);
}

/**
 * Indexes, triggers and columns that a store of this version has, as it has them, and no other trigger. Of an earlier
 * version: tables that came later.
 */
export function auditStructure(db: DatabaseSync, faults: Faults): void {
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
