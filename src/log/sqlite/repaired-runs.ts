import type { DatabaseSync } from 'node:sqlite';
import { breakAfter, type Head, type StoredEvent } from '../chain.ts';
import type { VerifyResult } from '../event-store.ts';
import { blobOf } from '../prepared.ts';
import { verifyRun } from '../verify-tree.ts';
import { EventsTable } from './events-table.ts';
import type { Heads } from './heads.ts';
import { type RunRow, RunsTable, SELECT_RUNS } from './runs-table.ts';
import { statement } from './statement.ts';
import { verifiableTables } from './verifiable-tables.ts';

/** What a repair has saved of a run. */
export interface SavedRun {
  readonly run: string;
  /** The last version in the new file; 0 where nothing of the run could be saved. */
  readonly saved: number;
  /** The last version that was noted beside the damaged store, or that its database lists. */
  readonly known: number;
  /** Why the new store does not hold the run, although its events are saved: its row was edited. Null: it holds. */
  readonly fault: string | null;
}

/** Nothing of a run could be saved. */
export const nothingOf = (run: string, known: number): SavedRun => ({ run, saved: 0, known, fault: null });

interface RunTables {
  readonly runs: RunsTable;
  readonly events: EventsTable;
}

/** Epochs of leases only rise: a tree begins with the newest in which it was written. */
const EPOCHS = `
  INSERT INTO leases (root, epoch, holder, expires_at)
  SELECT runs.root, max(events.epoch), NULL, 0 FROM runs JOIN events ON events.run = runs.key GROUP BY runs.root`;

/** Copies runs from one database to another, as far as their chains hold. */
export class Repair {
  readonly #from: RunTables;
  readonly #to: RunTables;
  readonly #into: DatabaseSync;
  readonly #heads: Heads;
  readonly #following;
  /** By its key in the old database: the key of a run in the new one, and where it ends there. */
  readonly #copied = new Map<number, { readonly key: number; readonly head: Head }>();

  constructor(from: DatabaseSync, to: DatabaseSync, heads: Heads) {
    this.#from = tablesOf(from);
    this.#to = tablesOf(to);
    this.#into = to;
    this.#heads = heads;
    this.#following = statement<[after: number], RunRow>(from, `${SELECT_RUNS} WHERE key > ? ORDER BY key LIMIT 1`);
  }

  saved(): readonly SavedRun[] {
    const saved: SavedRun[] = [];
    // It ends at a row that cannot be read, too.
    const after = (key: number) => readable(() => this.#following.get(key));
    for (let row = after(0); row; row = after(row.key)) saved.push(this.#save(row));
    this.#into.exec(EPOCHS);
    // Rows say where a run belongs, and no chain covers them.
    const store = verifiableTables(this.#to);
    return saved.map((one) => (one.saved === 0 ? one : { ...one, fault: faultIn(verifyRun(store, one.run)) }));
  }

  #save(row: RunRow): SavedRun {
    const { run, prefix: of, prefix_version: shared } = row;
    const known = readable(() => this.#from.runs.head(row).version) ?? 0;
    const prefix = of === null ? null : (this.#copied.get(of) ?? null);
    if (of !== null && (prefix === null || prefix.head.version < shared))
      return nothingOf(run, Math.max(known, shared));
    const copy = this.#to.runs.insert({ ...row, prefix: prefix?.key ?? null });
    let head = this.#to.runs.head(copy);
    for (let event = this.#next(row, head); event; event = this.#next(row, head)) {
      this.#copyBlob(event);
      this.#to.events.insert(copy.key, event);
      head = { version: event.version, hash: event.hash };
    }
    const ending = head.version === known ? this.#to.runs.ending({ ...copy, closed: row.closed }) : null;
    if (ending !== null) this.#to.runs.close(copy.key, ending);
    this.#copied.set(row.key, { key: copy.key, head });
    this.#heads.write(run, head);
    return { run, saved: head.version, known, fault: null };
  }

  /** The event that follows, or null where none does that can be read. */
  #next({ key, run }: RunRow, head: Head): StoredEvent | null {
    const version = head.version + 1;
    const [event] =
      readable(() => this.#from.events.pages.whole({ key, run, from: version, to: version }, version)) ?? [];
    const follows = event && readable(() => breakAfter(head, event, this.#from.events.blobText) === null);
    return event && follows ? event : null;
  }

  #copyBlob({ text }: StoredEvent): void {
    const sha256 = text === null ? null : blobOf(text);
    const content = sha256 === null ? null : this.#from.events.blobText(sha256);
    if (sha256 !== null && content !== null) this.#to.events.insertBlob({ sha256, text: content });
  }
}

const faultIn = (verified: VerifyResult): string | null =>
  verified.kind === 'broken' ? `at version ${verified.version}: ${verified.reason}` : null;

function tablesOf(db: DatabaseSync): RunTables {
  const events = new EventsTable(db);
  return { events, runs: new RunsTable(db, events) };
}

/** Null where a damaged page holds what was asked for. */
function readable<Result>(ask: () => Result): Result | null {
  try {
    return ask();
  } catch {
    return null;
  }
}
