import type { DatabaseSync } from 'node:sqlite';

/** Keys of rows, rising. `error`: why there may be more that cannot be reached; null where these are all. */
export interface RowKeys {
  readonly keys: readonly bigint[];
  readonly error: unknown;
}

/** The keys of the rows of a table, also behind a damaged page: it is passed by from the other end. */
export function rowKeys(db: DatabaseSync, table: 'runs' | 'outbox' | 'inbox', where = 'true'): RowKeys {
  const rising = walked(db, table, where, 'ASC');
  if (rising.error === null) return rising;
  const falling = walked(db, table, where, 'DESC').keys.toReversed();
  return { keys: [...new Set([...rising.keys, ...falling])], error: rising.error };
}

function walked(db: DatabaseSync, table: string, where: string, order: 'ASC' | 'DESC'): RowKeys {
  const keys: bigint[] = [];
  try {
    // An index may be damaged where its table is not.
    const query = db.prepare(`SELECT rowid AS key FROM ${table} NOT INDEXED WHERE ${where} ORDER BY rowid ${order}`);
    // Node throws where a number would be too large.
    query.setReadBigInts(true);
    for (const { key } of query.iterate()) keys.push(key as bigint);
    return { keys, error: null };
  } catch (error) {
    return { keys, error };
  }
}

/** Null where a damaged page or row holds what was asked for. */
export function readable<Result>(ask: () => Result): Result | null {
  try {
    return ask();
  } catch {
    return null;
  }
}
