import type { DatabaseSync } from 'node:sqlite';
import { assertShape, MisshapenError, numberIn } from '../row-shape.ts';
import { LEAVE_OUT, MAX_FAULTS, RESTORE, type StoreFault } from '../../log.ts';

/** Collects faults, up to the most that are listed. */
export class Faults {
  readonly #found: StoreFault[] = [];
  #count = 0;

  add(place: string, reason: string, remedy: string): void {
    this.#count += 1;
    if (this.#count <= MAX_FAULTS) this.#found.push({ place, reason, remedy });
  }

  all(): readonly StoreFault[] {
    const more = this.#count - this.#found.length;
    if (more === 0) return this.#found;
    return [...this.#found, { place: 'the log', reason: `${more} more of that kind`, remedy: RESTORE }];
  }
}

/** A row as SQLite has it, with numbers that are too large for one left as they are. */
export type AnyRow = Readonly<Record<string, unknown>>;

/** Every row of a query, each by itself: one that does not have the shape of its table is a fault, and left out. */
export function* shapely(db: DatabaseSync, sql: string, nameOf: (row: AnyRow) => string, faults: Faults) {
  const query = db.prepare(sql);
  // Node throws where a number would be too large.
  query.setReadBigInts(true);
  for (const raw of query.iterate()) {
    const row: AnyRow = Object.fromEntries(Object.entries(raw).map(([column, value]) => [column, numberIn(value)]));
    const reason = misshapenIn(row);
    if (reason === null) yield row;
    else faults.add(nameOf(row), reason, LEAVE_OUT);
  }
}

function misshapenIn(row: AnyRow): string | null {
  try {
    assertShape(row);
    return null;
  } catch (error) {
    if (error instanceof MisshapenError) return error.reason;
    throw error;
  }
}
