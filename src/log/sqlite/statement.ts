import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { assertShape, assertTuple, MisshapenError, numberIn, type Shape, shapeOf, tupleShape } from './row-shape.ts';

const HASH_BYTES = 32;
/** Where hashes are written out, without taking memory for each. */
const hashes = Buffer.alloc(HASH_BYTES);

/** The hexadecimal text of a hash. */
export function hexOf(bytes: Uint8Array): string {
  if (bytes.byteLength > HASH_BYTES) return Buffer.from(bytes).toString('hex');
  hashes.set(bytes);
  return hashes.toString('hex', 0, bytes.byteLength);
}

/** Bytes take Node three times as long as a text. What is neither bytes nor nothing stays a misfit. */
export const hexColumn = (column: string): string =>
  `CASE typeof(${column}) WHEN 'blob' THEN lower(hex(${column})) WHEN 'null' THEN NULL ELSE 0 END`;

export const bytesOf = (hex: string): Uint8Array => Buffer.from(hex, 'hex');

/** A prepared statement that knows what goes in and what a row of its answer holds. */
export interface Statement<Parameters extends SQLInputValue[], Row> {
  get(...parameters: Parameters): Row | null;
  all(...parameters: Parameters): readonly Row[];
  /** The id of the row it inserted. */
  run(...parameters: Parameters): number;
}

/**
 * Prepares once, when it is first used. That the types fit the text is what the contract suite is for; that rows fit
 * the types is checked, because a damaged page may hold anything: throws a `MisshapenError`.
 */
export function statement<Parameters extends SQLInputValue[], Row = never>(
  db: DatabaseSync,
  sql: string,
): Statement<Parameters, Row> {
  let prepared: StatementSync | undefined;
  let shape: Shape | undefined;
  const ready = () => (prepared ??= db.prepare(sql));
  const assertFits = (row: object) => assertShape(row, (shape ??= shapeOf(row)));
  const assertAll = (parameters: Parameters) => (prepared: StatementSync) => {
    for (const row of prepared.all(...parameters)) assertFits(withNumbers(row));
  };
  return {
    get: (...parameters) => {
      const row = orMisshapen(() => ready().get(...parameters), ready, assertAll(parameters));
      if (row) assertFits(row);
      return (row as Row | undefined) ?? null;
    },
    all: (...parameters) => {
      const rows = orMisshapen(() => ready().all(...parameters), ready, assertAll(parameters));
      for (const row of rows) assertFits(row);
      return rows as Row[];
    },
    run: (...parameters) => Number(ready().run(...parameters).lastInsertRowid),
  };
}

/** A statement whose rows are tuples, for many of them. `columns`: what each place holds, as `row-shape` names it. */
export function tuples<Parameters extends SQLInputValue[], Row extends readonly unknown[]>(
  db: DatabaseSync,
  sql: string,
  columns: readonly string[],
): Pick<Statement<Parameters, Row>, 'all'> {
  let prepared: StatementSync | undefined;
  const shape = tupleShape(columns);
  const ready = () => {
    if (prepared) return prepared;
    prepared = db.prepare(sql);
    prepared.setReturnArrays(true);
    return prepared;
  };
  return {
    all: (...parameters) => {
      // Node's types know rows with names only.
      const rows: unknown = orMisshapen(
        () => ready().all(...parameters),
        ready,
        (query) => {
          const large: unknown = query.all(...parameters);
          for (const row of large as Row[]) assertTuple(row.map(numberIn), shape);
        },
      );
      for (const row of rows as Row[]) assertTuple(row, shape);
      return rows as Row[];
    },
  };
}

/** Node throws where an integer is larger than a number can say: the rows are read again, to name the column. */
function orMisshapen<Rows>(
  ask: () => Rows,
  ready: () => StatementSync,
  again: (prepared: StatementSync) => void,
): Rows {
  try {
    return ask();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const prepared = ready();
    prepared.setReadBigInts(true);
    try {
      again(prepared);
    } finally {
      prepared.setReadBigInts(false);
    }
    throw new MisshapenError('a column holds a number that is too large');
  }
}

const withNumbers = (row: object): object =>
  Object.fromEntries(Object.entries(row).map(([column, value]) => [column, numberIn(value)]));
