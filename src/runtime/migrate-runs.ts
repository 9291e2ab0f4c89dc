import type { EventOf } from '../../machines/events.ts';
import type { CatalogueEntry } from '../../machines/index.ts';
import type { RunSettings } from '../../machines/settings.ts';
import type { Envelope, NewEvent } from '../log/envelope.ts';
import type { Log } from '../log/log.ts';
import { commit } from './commit.ts';
import { migrated, type RunState } from '../kernel/fold.ts';
import { rebuild } from './load-run.ts';
import { versionsAhead } from '../kernel/migration.ts';
import { notBefore } from './run-clock.ts';
import { type Batch, fact, record } from '../kernel/react.ts';

/** A tree of runs that no process owns. */
export interface UnownedRuns {
  readonly log: Log;
  readonly root: string;
  readonly machines: readonly CatalogueEntry[];
  readonly now: () => number;
}

/** A run of a tree cannot migrate to the newest version of its machine: none of the tree was migrated. */
export interface NotMigrated {
  readonly kind: 'not_migrated';
  readonly run: string;
  readonly machine: string;
  readonly reason: string;
}

interface Move {
  readonly run: string;
  readonly settings: RunSettings;
  readonly batch: Batch;
}
type Moves = { readonly kind: 'moves'; readonly moves: readonly Move[] };

/**
 * The events that migrate the open runs of a tree to the newest versions of their machines. Only reads the log.
 */
export async function plannedMigrations({ log, root, machines, now }: UnownedRuns): Promise<Moves | NotMigrated> {
  const moves: Move[] = [];
  for (const { run, closed } of await log.tree(root)) {
    if (closed !== null) continue;
    const loaded = await rebuild(log, run, undefined, machines);
    if (loaded.kind !== 'loaded') throw new Error(`run ${run} cannot be folded: ${loaded.kind}`);
    const batch = migrationOf(loaded.state, machines, notBefore(now(), loaded.state.at));
    if (typeof batch === 'string') return { kind: 'not_migrated', run, machine: loaded.state.entry.id, reason: batch };
    if (batch.events.length > 0) moves.push({ run, settings: loaded.settings, batch });
  }
  return { kind: 'moves', moves };
}

/** Records these migrations under the caller's lease: from here on the newest machines fold these runs. */
export async function migrateTree(unowned: UnownedRuns, epoch: number): Promise<readonly Envelope[]> {
  const found = await plannedMigrations(unowned);
  if (found.kind !== 'moves')
    throw new Error(`run ${found.run} was to be migrated, and has changed meanwhile: ${found.reason}`);
  const recorded: Envelope[] = [];
  for (const { run, settings, batch } of found.moves) {
    const expectedVersion = batch.state.version - batch.events.length;
    const committed = await commit({ log: unowned.log, run, epoch, expectedVersion, batch, settings });
    if (committed.kind === 'lost') throw new Error(`run ${run} was to be migrated: ${committed.detail}`);
    recorded.push(...committed.envelopes);
  }
  return recorded;
}

/** One event for each version on the way, so that each is one pure function. */
function migrationOf(start: RunState, machines: readonly CatalogueEntry[], at: string): Batch | string {
  const ahead = versionsAhead(start.entry, machines);
  if (typeof ahead === 'string') return ahead;
  const events: NewEvent[] = [];
  const states: RunState[] = [];
  let state = start;
  for (const { id } of ahead) {
    const event: EventOf<'run.migrated'> = { type: 'run.migrated', payload: { from: state.entry.id, to: id } };
    const recorded = record(event, state.version + 1, at);
    const next = migrated(state, recorded);
    if (typeof next === 'string') return next;
    state = next;
    states.push(state);
    events.push(fact(recorded, null, state));
  }
  return { state, states, events, activities: [] };
}
