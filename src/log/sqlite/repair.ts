import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { breakAfter, type Head, type StoredEvent } from '../chain.ts';
import { HEADS } from '../log-files.ts';
import { blobOf } from '../prepared.ts';
import { connect } from './connection.ts';
import { EventsTable } from './events-table.ts';
import { failureOf, unavailable } from './failure.ts';
import { Heads } from './heads.ts';
import { type Look, openLook } from './look.ts';
import { RunsTable, type RunRow, SELECT_RUNS } from './runs-table.ts';
import { statement } from './statement.ts';
import { warningsOf } from './unread-notes.ts';

/** Notes beside a store that cannot be read: a repair does not know from them what is lost. */
export const unreadNotes = (damaged: string): readonly string[] => warningsOf(new Heads(damaged + HEADS).all().unread);

/** What a repair has saved of a run. */
export interface SavedRun {
  readonly run: string;
  /** The last version in the new file; 0 where nothing of the run could be saved. */
  readonly saved: number;
  /** The last version that was noted beside the damaged store, or that its database lists. */
  readonly known: number;
}

/**
 * Saves what can be read of a damaged store into a new one: of each run its events up to the first that does not follow
 * from the one before. The damaged files stay as they are. Holders of leases, commands, reports and stored states are
 * not saved. Throws a `LogError` where nothing can be read, or where there is a file already.
 *
 * @example
 * for (const { run, saved, known } of repairStore('.loopfold/log.db', 'saved.db')) console.log(run, saved, known);
 */
export function repairStore(damaged: string, into: string): readonly SavedRun[] {
  const target = resolve(into);
  if (existsSync(target)) throw unavailable(target, 'there is a file already', 'Name a file that does not exist.');
  const { heads: notes } = new Heads(damaged + HEADS).all();
  const look = lookAt(damaged);
  try {
    const heads = new Heads(target + HEADS);
    const saved = connectedTo(target, (db) => new Repair(look.db, db, heads).saved());
    heads.close();
    const listed = new Set(saved.map(({ run }) => run));
    const gone = [...notes].filter(([run]) => !listed.has(run)).map(([run]) => ({ run, saved: 0, known: 0 }));
    return [...saved, ...gone].map((one) => ({ ...one, known: Math.max(one.known, notes.get(one.run)?.version ?? 0) }));
  } finally {
    look.close();
  }
}

function lookAt(path: string): Look {
  let look: Look | null = null;
  try {
    look = openLook(path);
    look.db.prepare('SELECT count(*) FROM runs').get();
    return look;
  } catch (error) {
    look?.close();
    throw failureOf(path, error);
  }
}

function connectedTo<Result>(path: string, work: (db: DatabaseSync) => Result): Result {
  const connection = connect(path, {});
  try {
    connection.db.exec('BEGIN IMMEDIATE');
    const result = work(connection.db);
    connection.db.exec('COMMIT');
    return result;
  } finally {
    connection.close();
  }
}

interface RunTables {
  readonly runs: RunsTable;
  readonly events: EventsTable;
}

/** Epochs of leases only rise: a tree begins with the newest in which it was written. */
const EPOCHS = `
  INSERT INTO leases (root, epoch, holder, expires_at)
  SELECT runs.root, max(events.epoch), NULL, 0 FROM runs JOIN events ON events.run = runs.key GROUP BY runs.root`;

/** Copies runs from one database to another, as far as their chains hold. */
class Repair {
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
    return saved;
  }

  #save(row: RunRow): SavedRun {
    const { run, prefix: of, prefix_version: shared } = row;
    const known = readable(() => this.#from.runs.head(row).version) ?? 0;
    const prefix = of === null ? null : (this.#copied.get(of) ?? null);
    if (of !== null && (prefix === null || prefix.head.version < shared)) return { run, saved: 0, known };
    const copy = this.#to.runs.insert({ ...row, prefix: prefix?.key ?? null });
    let head = this.#to.runs.head(copy);
    for (let event = this.#next(row, head); event; event = this.#next(row, head)) {
      this.#copyBlob(event);
      this.#to.events.insert(copy.key, event);
      head = { version: event.version, hash: event.hash };
    }
    if (row.closed !== null && head.version === known) this.#to.runs.close(copy.key, row.closed);
    this.#copied.set(row.key, { key: copy.key, head });
    this.#heads.write(run, head);
    return { run, saved: head.version, known };
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
