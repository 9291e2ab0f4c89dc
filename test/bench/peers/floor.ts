import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { assign, initialTransition, setup, transition } from 'xstate';
import type { Durability, OpenPeer } from './peer.ts';

interface Answer {
  readonly type: 'model.completed';
  readonly text: string;
  readonly calls: readonly { readonly tool: string; readonly arguments: { readonly step: number } }[];
}
interface Result {
  readonly type: 'tool.completed';
  readonly output: string;
}

/** Asks, calls, and asks again, until an answer calls nothing. */
const machine = setup({
  types: { context: {} as { readonly step: number }, events: {} as Answer | Result },
  guards: { callsATool: ({ event }) => event.type === 'model.completed' && event.calls.length > 0 },
  actions: { countStep: assign({ step: ({ context }) => context.step + 1 }) },
}).createMachine({
  initial: 'stream',
  context: { step: 0 },
  states: {
    stream: {
      on: {
        'model.completed': [
          { guard: 'callsATool', target: 'tools' },
          { target: 'success', actions: 'countStep' },
        ],
      },
    },
    tools: { on: { 'tool.completed': { target: 'stream', actions: 'countStep' } } },
    success: { type: 'final' },
  },
});

/** The least a durable loop can be: a machine, one row and one durable commit for each transition, and no feature. */
export const open: OpenPeer = async ({ folder }) => {
  const store = join(folder, 'floor.db');
  const db = new DatabaseSync(store);
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
  db.exec('CREATE TABLE events (run INTEGER, version INTEGER, event TEXT, PRIMARY KEY (run, version)) WITHOUT ROWID');
  const insert = db.prepare('INSERT INTO events VALUES (?, ?, ?)');
  let runs = 0;
  return {
    store,
    turn: async (steps) => {
      runs += 1;
      const run = runs;
      let [state] = initialTransition(machine);
      for (let version = 1; state.status === 'active'; version += 1) {
        const { step } = state.context;
        const event = state.value === 'stream' ? await answer(step, steps) : await called(step);
        // A statement outside a transaction is one of its own, and durable when it returns.
        insert.run(run, version, JSON.stringify(event));
        [state] = transition(machine, state, event);
      }
      if (state.context.step !== steps) throw new Error(`the turn ended after ${state.context.step} steps`);
    },
    durability: async () => durabilityOf(db),
    close: async () => db.close(),
  };
};

const answer = async (step: number, steps: number): Promise<Answer> => ({
  type: 'model.completed',
  ...(step + 1 < steps ? { text: '', calls: [{ tool: 'nothing', arguments: { step } }] } : { text: 'done', calls: [] }),
});

const called = async (step: number): Promise<Result> => ({ type: 'tool.completed', output: `ok ${step}` });

export function durabilityOf(db: DatabaseSync): Durability {
  const { journal_mode: journalMode } = db.prepare('PRAGMA journal_mode').get() ?? {};
  const { synchronous } = db.prepare('PRAGMA synchronous').get() ?? {};
  return { journalMode: String(journalMode), synchronous: Number(synchronous) };
}
