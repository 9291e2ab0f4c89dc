import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { HEADS } from '../log-files.ts';
import { connect } from './connection.ts';
import { failureOf, unavailable } from './failure.ts';
import { Heads } from './heads.ts';
import { type Look, openLook } from './look.ts';
import { nothingOf, Repair, type SavedRun } from './repaired-runs.ts';
import { warningsOf } from './unread-notes.ts';

/** Notes beside a store that cannot be read: a repair does not know from them what is lost. */
export const unreadNotes = (damaged: string): readonly string[] => warningsOf(new Heads(damaged + HEADS).all().unread);

/**
 * Saves what can be read of a damaged store into a new one: of each run its events up to the first that does not follow
 * from the one before. The damaged files stay as they are. Holders of leases, commands, reports and stored states are
 * not saved. Where rows lead round in circles, or to runs that are gone, the run is saved and said to be unsound.
 * Throws a `LogError` where nothing can be read, or where there is a file already.
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
    const gone = [...notes].filter(([run]) => !listed.has(run)).map(([run]) => nothingOf(run, 0));
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
