import { existsSync, rmSync } from 'node:fs';
import { resolve, dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { LogError, type StoreFault } from '../log.ts';
import { HEADS } from '../log-files.ts';
import { connect } from './connection.ts';
import { failureOf, unavailable, unsalvageable } from './failure.ts';
import { Heads, type UnreadNote } from './heads.ts';
import { type Look, openLook } from './look.ts';
import { assertNoLink, assertNothingToWaitFor } from './no-waiting.ts';
import { type RowKeys, rowKeys } from './readable-rows.ts';
import { type SavedCommands, saveCommands } from './save-commands.ts';
import { type SavedReports, saveReports } from './save-reports.ts';
import { nothingOf, Repair, type SavedRun } from './save-runs.ts';
import { isRunName } from '../effect-names.ts';

const MAX_NAMED = 3;

/** Whether a log has a run of this name. */
type IsListed = (run: string) => boolean;

/** A note that cannot be read, as a fault of the store. */
export function faultOfNote({ file, run, because }: UnreadNote, isListed: IsListed): StoreFault {
  if (run === null) {
    const reason = `the notes of heads cannot be read or written here (${because}): no run is compared with its note`;
    return { place: file, reason, remedy: 'Make it a folder that you can read and write, or delete it.' };
  }
  if (!isListed(run)) {
    const reason = `the log has no run of that name, and the file holds no note of one (${because})`;
    return { place: file, reason, remedy: 'Move it away or remove it: only notes of heads belong into that folder.' };
  }
  return {
    place: file,
    reason: `the note of the head of run ${run} cannot be read (${because}): the run is not compared with it`,
    remedy: `Look at the run with \`loopfold check ${run}\`; then delete the file: the next commit writes it anew.`,
  };
}

/** The same as sentences, of which the first are named one by one. Without the log, any name may be that of a run. */
export function warningsOf(unread: readonly UnreadNote[], isListed: IsListed = isRunName): readonly string[] {
  const named = unread.slice(0, MAX_NAMED).map((note) => faultOfNote(note, isListed));
  const sentences = named.map(({ place, reason, remedy }) => `${place}: ${reason}. ${remedy}`);
  const [first, more] = [unread[0], unread.length - named.length];
  if (!first || more === 0) return sentences;
  return [...sentences, `${dirname(first.file)}: ${more} more notes cannot be read. \`loopfold check\` names them.`];
}

/** What a repair has done. */
export interface Repaired {
  readonly runs: readonly SavedRun[];
  readonly reports: SavedReports;
  readonly commands: SavedCommands;
  /** False: nothing of any run could be saved, so there is no new file. */
  readonly isWritten: boolean;
}

/** Notes beside a store that cannot be read: a repair does not know from them what is lost. */
export const unreadNotes = (damaged: string): readonly string[] => warningsOf(new Heads(damaged + HEADS).all().unread);

/**
 * Saves what can be read of a damaged store into a new one: of each run its events up to the first that does not follow
 * from the one before, and the commands for them and the reports about them that were not delivered. The damaged files
 * stay as they are. Holders of leases, delivered reports and stored states are not saved. Where rows lead round in
 * circles, or to runs that are gone, the run is saved and said to be unsound. A run of which nothing can be saved is
 * named, and has no row. Throws a `LogError` where nothing can be read, or where there is a file already.
 *
 * @example
 * for (const { run, saved, known } of repairStore('.loopfold/log.db', 'saved.db').runs) console.log(run, saved, known);
 */
export function repairStore(damaged: string, into: string): Repaired {
  const target = resolve(into);
  if (existsSync(target)) throw unavailable(target, 'there is a file already', 'Name a file that does not exist.');
  assertNothingToWaitFor(damaged);
  assertNoLink(damaged);
  const { heads: notes } = new Heads(damaged + HEADS).all();
  const { look, rows } = lookAt(damaged);
  try {
    const { runs, reports, commands } = savedInto(target, look.db, rows);
    const listed = new Set(runs.map(({ run }) => run));
    const gone = [...notes].filter(([run]) => !listed.has(run)).map(([run]) => nothingOf(run, 0));
    const all = [...runs, ...gone].map((one) => ({
      ...one,
      known: Math.max(one.known, notes.get(one.run)?.version ?? 0),
    }));
    const isWritten = all.length === 0 || all.some(({ saved }) => saved > 0);
    if (!isWritten) for (const suffix of ['', '-wal', '-shm']) rmSync(target + suffix, { force: true });
    return { runs: all, reports, commands, isWritten };
  } finally {
    look.close();
  }
}

function lookAt(path: string): { readonly look: Look; readonly rows: RowKeys } {
  let look: Look | null = null;
  try {
    look = openLook(path);
    const rows = rowKeys(look.db, 'runs');
    if (rows.keys.length === 0 && rows.error !== null) throw rows.error;
    return { look, rows };
  } catch (error) {
    look?.close();
    const failure = failureOf(path, error);
    if (!(failure instanceof LogError) || failure.kind !== 'damaged') throw failure;
    throw unsalvageable(path, error instanceof Error ? error.message : String(error), error);
  }
}

function savedInto(path: string, from: DatabaseSync, { keys }: RowKeys) {
  const heads = new Heads(path + HEADS);
  const connection = connect(path, {});
  const { db } = connection;
  try {
    db.exec('BEGIN IMMEDIATE');
    const runs = new Repair(from, db, heads).saved(keys);
    const reports = saveReports(from, db);
    const commands = saveCommands(from, db);
    db.exec('COMMIT');
    return { runs, reports, commands };
  } finally {
    heads.close();
    connection.close();
  }
}
