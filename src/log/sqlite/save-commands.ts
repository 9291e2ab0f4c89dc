import type { DatabaseSync } from 'node:sqlite';
import { type CommandRow, commandMisfits } from './audit/command-rows.ts';
import { Owners } from './audit/owners.ts';
import { readable, rowKeys } from './readable-rows.ts';
import { statement } from './statement.ts';

/** What a repair has saved of the commands that wait. */
export interface SavedCommands {
  readonly saved: number;
  readonly lost: readonly LostCommand[];
}

interface LostCommand {
  /** The number of the command; or the table that cannot be read to its end. */
  readonly command: string;
  readonly reason: string;
}

const COLUMNS = 'id, root, run, type, payload, at, delivered, rejected';
type Columns = [string, string, string, string, number, delivered: number | null, rejected: string | null];

/**
 * Copies the commands for runs of the new store. Those that were delivered or rejected go along: they show that a
 * command which waits is another one. Of them, one that is lost is not named, because nothing waits for it.
 */
export function saveCommands(from: DatabaseSync, to: DatabaseSync): SavedCommands {
  const { keys, error } = rowKeys(from, 'inbox');
  const find = statement<[id: bigint], CommandRow>(from, `SELECT ${COLUMNS} FROM inbox WHERE id = ?`);
  const insert = statement<[id: number, ...Columns]>(
    to,
    `INSERT INTO inbox (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const remove = statement<[id: number]>(to, 'DELETE FROM inbox WHERE id = ?');
  const lost: LostCommand[] = [];
  const copied: CommandRow[] = [];
  for (const key of keys) {
    const row = readable(() => find.get(key));
    if (row === null) {
      lost.push({ command: String(key), reason: 'it cannot be read' });
      continue;
    }
    const { id, root, run, type, payload, at, delivered, rejected } = row;
    insert.run(id, root, run, type, payload, at, delivered, rejected);
    copied.push(row);
  }
  const owners = new Owners(to);
  let saved = 0;
  for (const row of copied) {
    const isWaiting = row.delivered === null && row.rejected === null;
    const misfits = commandMisfits(row, owners);
    if (misfits.length > 0) {
      remove.run(row.id);
      if (isWaiting) lost.push({ command: String(row.id), reason: misfits.join(', ') });
    } else if (isWaiting) saved += 1;
  }
  const reason = error instanceof Error ? `it cannot be read to its end (${error.message})` : null;
  return { saved, lost: reason === null ? lost : [...lost, { command: 'table inbox', reason }] };
}
