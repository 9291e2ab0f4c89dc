import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { isKnownDead, thisProcess } from '../../../log/holder.ts';
import type { Holder } from '../../../log/lease-store.ts';
import { openDatabase } from '../../../log/sqlite/database.ts';
import { overlaps } from '../../../app/holds/overlap.ts';
import type { Hold, TakenHold, WantedHold, WorkspaceHolder, WorkspaceHolds } from '../../../ports/workspace-holds.ts';

type Database = ReturnType<typeof openDatabase>;

// The registry is opened for each use and closed again: a run uses it twice, and nothing has to close it when a program
// is done. It is not synced to disk: after a power cut every holder is gone.

const VERSION = 1;
const BUSY_TIMEOUT_MS = 5_000;
/** How often a hold says that its process lives, for processes that cannot see it: in other containers or machines. */
const RENEW_MS = 15_000;
/** After this long without a sign, a holder that cannot be seen from here is taken for dead. */
const HOLD_TTL_MS = 90_000;

const SCHEMA = `
CREATE TABLE IF NOT EXISTS holds (
  token TEXT PRIMARY KEY,
  run TEXT NOT NULL,
  workspace TEXT NOT NULL,
  log TEXT NOT NULL,
  since TEXT NOT NULL,
  host TEXT NOT NULL,
  pid INTEGER NOT NULL,
  process_start TEXT NOT NULL,
  renewed_at INTEGER NOT NULL
) STRICT`;

interface Row {
  readonly token: string;
  readonly run: string;
  readonly workspace: string;
  readonly log: string;
  readonly since: string;
  readonly host: string;
  readonly pid: number;
  readonly process_start: string;
  readonly renewed_at: number;
}

/**
 * The registry in a SQLite file, which is made with its folder where it is missing. `now`: milliseconds since 1970.
 *
 * @example
 * const taken = sqliteHolds(path).take({ run, workspace, log, isOver: false });
 */
export function sqliteHolds(path: string, now: () => number = Date.now): WorkspaceHolds {
  return {
    take(wanted) {
      try {
        mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
        return within(path, (db) => taken({ path, now }, db, wanted));
      } catch (error) {
        return { kind: 'unavailable', why: unusable(path, error) };
      }
    },
  };
}

interface Registry {
  readonly path: string;
  readonly now: () => number;
}

/** Looks for a holder and takes the workspace in one transaction: of two processes, one finds the other. */
function taken({ path, now }: Registry, db: Database, wanted: WantedHold): TakenHold {
  const process = thisProcess();
  const by = holderBeside(db, wanted, { host: process.host, nowMs: now() });
  if (by) return { kind: 'held', by };
  insert(db, { ...wanted, since: new Date(now()).toISOString(), process }, now());
  return { kind: 'taken', hold: holdOf({ path, now }, wanted, process) };
}

/** Another tree that holds the workspace. Holds of dead processes are removed. */
function holderBeside(
  db: Database,
  wanted: WantedHold,
  { host, nowMs }: { readonly host: string; readonly nowMs: number },
): WorkspaceHolder | null {
  const rows = db.prepare('SELECT * FROM holds').all() as unknown as readonly Row[];
  const dead = rows.filter((row) => isDead(row, host, nowMs));
  for (const { token } of dead) db.prepare('DELETE FROM holds WHERE token = ?').run(token);
  const by = rows.find(
    (row) => !dead.includes(row) && overlaps(row.workspace, wanted.workspace) && !isSame(row, wanted),
  );
  return by ? holderOf(by) : null;
}

function insert(db: Database, { run, workspace, log, since, process }: WorkspaceHolder, nowMs: number): void {
  const { token, host, pid, processStart } = process;
  db.prepare('INSERT INTO holds VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)').run(
    token,
    run,
    workspace,
    log,
    since,
    host,
    pid,
    processStart,
    nowMs,
  );
}

function holdOf({ path, now }: Registry, wanted: WantedHold, process: Holder): Hold {
  const { token } = process;
  const since = new Date(now()).toISOString();
  const lost = Promise.withResolvers<WorkspaceHolder>();
  let { run } = wanted;
  /** False where the registry is locked or cannot be written at this moment. */
  const attempt = (work: (db: Database) => void): boolean => {
    try {
      within(path, work);
      return true;
    } catch {
      return false;
    }
  };
  const change = (statement: string, ...values: readonly (string | number)[]): boolean =>
    attempt((db) => void db.prepare(`${statement} WHERE token = ?`).run(...values, token));
  /** A row that is gone was removed by a process that took this one for dead, or with the file: it is written again. */
  const renewIn = (db: Database) => {
    const { changes } = db.prepare('UPDATE holds SET renewed_at = ? WHERE token = ?').run(now(), token);
    if (Number(changes) > 0) return;
    const { workspace, log } = wanted;
    // Since this hold was taken, any other one excludes it, whatever run that is of.
    const by = holderBeside(db, { ...wanted, run, isOver: true }, { host: process.host, nowMs: now() });
    if (by === null) return insert(db, { run, workspace, log, since, process }, now());
    clearInterval(renewal);
    lost.resolve(by);
  };
  let isReleased = false;
  const release = () => {
    isReleased = true;
    // What could not be released is tried again: this process lives, so its hold would stay.
    if (change('DELETE FROM holds')) clearInterval(renewal);
  };
  const renew = () => (isReleased ? release() : void attempt(renewIn));
  const renewal = setInterval(renew, RENEW_MS).unref();
  const rename = (next: string) => {
    run = next;
    change('UPDATE holds SET run = ?', next);
  };
  return { rename, lost: lost.promise, release };
}

/** The run itself, which another process may be about to leave. */
const isSame = (row: Row, { run, log, isOver }: WantedHold): boolean => !isOver && row.run === run && row.log === log;

function isDead(row: Row, here: string, nowMs: number): boolean {
  if (row.host === here && row.process_start !== '') return isKnownDead(processOf(row));
  return row.renewed_at < nowMs - HOLD_TTL_MS;
}

const processOf = ({ host, pid, process_start: processStart, token }: Row) => ({ host, pid, processStart, token });

const holderOf = (row: Row): WorkspaceHolder => {
  const { run, workspace, log, since } = row;
  return { run, workspace, log, since, process: processOf(row) };
};

/** Works in one transaction, which waits for those of other processes. */
function within<Result>(path: string, work: (db: Database) => Result): Result {
  const db = openDatabase(path);
  try {
    db.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}; PRAGMA synchronous = OFF; BEGIN IMMEDIATE`);
    prepare(db);
    const result = work(db);
    db.exec('COMMIT');
    return result;
  } finally {
    // An open transaction is rolled back.
    db.close();
  }
}

function prepare(db: Database): void {
  const { user_version: version } = db.prepare('PRAGMA user_version').get() as { readonly user_version: number };
  if (version > VERSION) throw new Error(`a later version of this program made it (version ${version})`);
  if (version < VERSION) db.exec(`${SCHEMA}; PRAGMA user_version = ${VERSION}`);
}

const unusable = (path: string, error: unknown): string =>
  `${path} cannot be used, so another run may work in the same folder at the same time (${
    error instanceof Error ? error.message : String(error)
  }). Make its folder writable, or remove the file if it is damaged.`;
