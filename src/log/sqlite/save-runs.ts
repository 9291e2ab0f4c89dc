import type { DatabaseSync } from 'node:sqlite';
import { breakAfter, type Head, START, type StoredEvent } from '../chain.ts';
import { assertRunName } from '../effect-names.ts';
import type { VerifyResult } from '../event-store.ts';
import { blobOf } from '../prepare-events.ts';
import { verifyRun } from '../verify-tree.ts';
import { Owners } from './audit/owners.ts';
import { beginOf } from './audit/run-rows.ts';
import { EventsTable } from './events-table.ts';
import type { Heads } from './heads.ts';
import { readable } from './readable-rows.ts';
import { MisshapenError } from './row-shape.ts';
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
  /** Why its row cannot be used, or does not fit its events. Null: it does, or it is not known why some are lost. */
  readonly fault: string | null;
}

/** Nothing of a run could be saved. */
export const nothingOf = (run: string, known: number, fault: string | null = null): SavedRun => ({
  run,
  saved: 0,
  known,
  fault,
});

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
  readonly #byKey;
  readonly #nameOf;
  readonly #countEvents;
  /** By its key in the old database: the key of a run in the new one, and where it ends there. */
  readonly #copied = new Map<number, { readonly key: number; readonly head: Head }>();

  constructor(from: DatabaseSync, to: DatabaseSync, heads: Heads) {
    this.#from = tablesOf(from);
    this.#to = tablesOf(to);
    this.#into = to;
    this.#heads = heads;
    this.#byKey = statement<[key: bigint], RunRow>(from, `${SELECT_RUNS} WHERE key = ?`);
    this.#nameOf = statement<[key: bigint], Pick<RunRow, 'run'>>(from, 'SELECT run FROM runs WHERE key = ?');
    this.#countEvents = statement<[run: bigint], { readonly events: number }>(
      from,
      'SELECT count(*) AS events FROM events WHERE run = ?',
    );
  }

  /** `keys`: of the rows in the old table `runs`, rising, so that a continuation comes after what it continues. */
  saved(keys: readonly bigint[]): readonly SavedRun[] {
    const saved = keys.map((key) => this.#saveRow(key));
    this.#into.exec(EPOCHS);
    this.#setTimes(saved);
    // Rows say where a run belongs, and no chain covers them.
    const store = verifiableTables(this.#to);
    return saved.map((one) => (one.saved === 0 ? one : { ...one, fault: faultIn(verifyRun(store, one.run)) }));
  }

  /** No chain covers when a run began. */
  #setTimes(saved: readonly SavedRun[]): void {
    const owners = new Owners(this.#into);
    const set = statement<[at: number, key: number]>(this.#into, 'UPDATE runs SET created_at = ? WHERE key = ?');
    for (const { run } of saved) {
      const row = this.#to.runs.find(run);
      if (row !== null) set.run(beginOf(row, owners), row.key);
    }
  }

  #saveRow(key: bigint): SavedRun {
    const row = this.#rowOf(key);
    if (typeof row !== 'string') return this.#save(row);
    const run = readable(() => this.#nameOf.get(key)?.run) ?? `of row ${key}`;
    return nothingOf(run, this.#listedEvents(key), row);
  }

  /** A text says why it cannot be used. */
  #rowOf(key: bigint): RunRow | string {
    try {
      const row = this.#byKey.get(key);
      if (row === null) return 'its row is not found by its key';
      // A note of it would lie in another folder.
      assertRunName(row.run);
      return this.#to.runs.find(row.run) === null ? row : 'another row has its name';
    } catch (error) {
      const { message } = error instanceof Error ? error : { message: String(error) };
      return `its row cannot be read: ${error instanceof MisshapenError ? error.reason : message}`;
    }
  }

  #save(row: RunRow): SavedRun {
    const { run, prefix: of, prefix_version: shared } = row;
    const version = readable(() => this.#from.runs.head(row).version);
    const known = version ?? (of === null ? 0 : shared) + this.#listedEvents(BigInt(row.key));
    const prefix = of === null ? null : (this.#copied.get(of) ?? null);
    if (of !== null && (prefix === null || prefix.head.version < shared))
      return nothingOf(run, Math.max(known, shared));
    if ((prefix === null || shared === 0) && this.#next(row, START) === null) return nothingOf(run, known);
    const opener = row.parent_effect;
    if (opener !== null && this.#to.runs.openedBy(opener)) return nothingOf(run, known, `${opener} opened another run`);
    const copy = this.#to.runs.insert({
      ...row,
      prefix: shared === 0 ? null : (prefix?.key ?? null),
      prefix_version: prefix === null ? 0 : shared,
    });
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
    // Where its last version cannot be read, there is one behind what was saved.
    return { run, saved: head.version, known: version ?? Math.max(known, head.version + 1), fault: null };
  }

  #listedEvents(key: bigint): number {
    return readable(() => this.#countEvents.get(key)?.events) ?? 0;
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
