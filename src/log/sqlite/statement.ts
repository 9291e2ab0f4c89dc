import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';

/** A prepared statement that knows what goes in and what a row of its answer holds. */
export interface Statement<Parameters extends SQLInputValue[], Row> {
  get(...parameters: Parameters): Row | null;
  all(...parameters: Parameters): readonly Row[];
  /** The id of the row it inserted. */
  run(...parameters: Parameters): number;
}

/** Prepares once, when it is first used. That the types fit the text is what the contract suite is for. */
export function statement<Parameters extends SQLInputValue[], Row = never>(
  db: DatabaseSync,
  sql: string,
): Statement<Parameters, Row> {
  let prepared: StatementSync | undefined;
  const ready = () => (prepared ??= db.prepare(sql));
  return {
    get: (...parameters) => (ready().get(...parameters) as Row | undefined) ?? null,
    all: (...parameters) => ready().all(...parameters) as Row[],
    run: (...parameters) => Number(ready().run(...parameters).lastInsertRowid),
  };
}
