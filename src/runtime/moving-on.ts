import type { EventOf } from '../../machines/events.ts';
import type { CatalogueEntry } from '../../machines/index.ts';
import type { Envelope, NewEvent } from '../log/envelope.ts';
import type { Log } from '../log/log.ts';
import { commit } from './commit.ts';
import { migrated, type RunState } from './fold.ts';
import { rebuild } from './load.ts';
import { versionsAhead } from './migration.ts';
import { type Batch, fact, record } from './react.ts';

/** A tree of runs that nobody serves. */
export interface Standstill {
  readonly log: Log;
  readonly root: string;
  readonly machines: readonly CatalogueEntry[];
  readonly now: () => number;
}

/** Some run of a tree cannot go on under the newest version of its machine: none of them was migrated. */
export interface NotMigrated {
  readonly kind: 'not_migrated';
  readonly run: string;
  readonly machine: string;
  readonly reason: string;
}

interface Move {
  readonly run: string;
  readonly batch: Batch;
}
type Moves = { readonly kind: 'moves'; readonly moves: readonly Move[] };

/** What brings the open runs of a tree under the newest version of their machines. Reads the log, and writes nothing. */
export async function movesOf({ log, root, machines, now }: Standstill): Promise<Moves | NotMigrated> {
  const moves: Move[] = [];
  const at = new Date(now()).toISOString();
  for (const { run, closed, ...record } of await log.runs()) {
    if (record.root !== root || closed !== null) continue;
    const loaded = await rebuild(log, run, undefined, machines);
    if (loaded.kind !== 'loaded') throw new Error(`run ${run} cannot be folded: ${loaded.kind}`);
    const batch = movedOn(loaded.state, machines, at);
    if (typeof batch === 'string') return { kind: 'not_migrated', run, machine: loaded.state.entry.id, reason: batch };
    if (batch.events.length > 0) moves.push({ run, batch });
  }
  return { kind: 'moves', moves };
}

/** Records them, under a lease that nobody else has: from here on the newest machines fold these runs. */
export async function moveOn(standstill: Standstill, epoch: number): Promise<readonly Envelope[]> {
  const found = await movesOf(standstill);
  if (found.kind !== 'moves') throw new Error(`run ${found.run} was to be migrated, and has changed meanwhile: ${found.reason}`);
  const recorded: Envelope[] = [];
  for (const { run, batch } of found.moves) {
    const expectedVersion = batch.state.version - batch.events.length;
    const committed = await commit({ log: standstill.log, run, epoch, expectedVersion, batch });
    if (committed.kind === 'lost') throw new Error(`run ${run} was to be migrated: ${committed.detail}`);
    recorded.push(...committed.envelopes);
  }
  return recorded;
}

/** One event a version, so that each step of the way is one pure function. */
function movedOn(start: RunState, machines: readonly CatalogueEntry[], at: string): Batch | string {
  const ahead = versionsAhead(start.entry, machines);
  if (typeof ahead === 'string') return ahead;
  const events: NewEvent[] = [];
  let state = start;
  for (const { id } of ahead) {
    const event: EventOf<'run.migrated'> = { type: 'run.migrated', payload: { from: state.entry.id, to: id } };
    const recorded = record(event, state.version + 1, at);
    const next = migrated(state, recorded);
    if (typeof next === 'string') return next;
    state = next;
    events.push(fact(recorded, null, state));
  }
  return { state, events };
}
