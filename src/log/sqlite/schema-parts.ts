import type { DatabaseSync } from 'node:sqlite';
import { SCHEMA, SCHEMA_VERSION } from './schema.ts';

interface Part {
  readonly type: string;
  readonly name: string;
  readonly sql: string | null;
}

/** What a store has, by the words of SQL that make it. */
const PARTS = [...SCHEMA.matchAll(/CREATE (?:UNIQUE )?(TABLE|INDEX|TRIGGER) (\w+)/g)].map(
  ([, type = '', name = '']) => `the ${type.toLowerCase()} ${name}`,
);

const inOneLine = (sql: string): string => sql.replaceAll(/\s+/g, ' ');
const TRIGGERS = new Map(
  [...SCHEMA.matchAll(/CREATE TRIGGER (\w+) [\s\S]*?\nEND(?=;)/g)].map(([sql, name = '']) => [name, inOneLine(sql)]),
);

const INDEXES = new Map(
  [...SCHEMA.matchAll(/CREATE (?:UNIQUE )?INDEX (\w+) [^;]*/g)].map(([sql, name = '']) => [name, inOneLine(sql)]),
);

const partsOf = (db: DatabaseSync): readonly Part[] =>
  db.prepare('SELECT type, name, sql FROM main.sqlite_schema').all() as unknown as Part[];

/** Triggers that no program of ours has made: they would change what is written, at the moment when it is written. */
export function foreignTriggers(db: DatabaseSync, parts = partsOf(db)): readonly string[] {
  return parts.flatMap(({ type, name, sql }) => {
    if (type !== 'trigger' || TRIGGERS.get(name) === inOneLine(sql ?? '')) return [];
    return [`the trigger ${name} ${TRIGGERS.has(name) ? 'is another one than in' : 'does not belong to'} a log`];
  });
}

/** Indexes of ours that are made otherwise: one that was to be unique may take what must not be there twice. */
export function otherIndexes(db: DatabaseSync): readonly string[] {
  return partsOf(db).flatMap(({ type, name, sql }) => {
    const ours = type === 'index' ? INDEXES.get(name) : undefined;
    return ours === undefined || ours === inOneLine(sql ?? '')
      ? []
      : [`the index ${name} is another one than in a log`];
  });
}

/** Why nothing may be written to a store, by one query. `version`: of its schema. Null: it may be written. */
export function unwritable(db: DatabaseSync, version: number): string | null {
  const parts = partsOf(db);
  const here = new Set(parts.map(({ type, name }) => `the ${type} ${name}`));
  // What came after an earlier version, an upgrade makes.
  const missing = version === SCHEMA_VERSION ? PARTS.find((part) => !here.has(part)) : undefined;
  return missing === undefined ? (foreignTriggers(db, parts)[0] ?? null) : `${missing} is missing`;
}
