import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openSqliteLog } from '../../../src/log/sqlite/engine.ts';
import { loopsOf, turn } from '../turns.ts';
import { durabilityOf } from './floor.ts';
import type { OpenPeer } from './peer.ts';

/** Steps of the longest turn that may be asked for. */
const STEPS = 20;
const AT_ONCE = 50;

/** Our own turns, through everything that a user's turn goes through. Each has a folder of its own to work in. */
export const open: OpenPeer = async ({ folder }) => {
  const store = join(folder, 'log.db');
  const { result: log, writers } = notingWriters(() => openSqliteLog(store));
  const loops = loopsOf(log, STEPS);
  const places = Array.from({ length: AT_ONCE }, (_, n) => join(folder, `workspace-${n}`));
  for (const place of places) mkdirSync(place);
  let turns = 0;
  return {
    store,
    turn: async (steps) => {
      turns += 1;
      await turn(loops, steps, places[turns % AT_ONCE]);
    },
    durability: async () => {
      const [writer] = writers;
      if (!writer) throw new Error('no connection has prepared a commit');
      return durabilityOf(writer);
    },
    close: async () => log.close(),
  };
};

/** The connections that prepare to commit while something is opened. */
function notingWriters<Result>(work: () => Result): { readonly result: Result; readonly writers: Set<DatabaseSync> } {
  const writers = new Set<DatabaseSync>();
  const { prepare } = DatabaseSync.prototype;
  DatabaseSync.prototype.prepare = function noted(sql: string) {
    if (sql === 'COMMIT') writers.add(this);
    return prepare.call(this, sql);
  };
  try {
    return { result: work(), writers };
  } finally {
    DatabaseSync.prototype.prepare = prepare;
  }
}
