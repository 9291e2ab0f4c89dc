import { catalogue, type CatalogueEntry } from '../../machines/index.ts';
import type { Envelope } from '../log/envelope.ts';
import { LogError } from '../log/errors.ts';
import type { Log } from '../log/log.ts';
import type { SnapshotStore, StoredSnapshot } from '../log/snapshot-store.ts';
import { isAsStored } from '../log/stored-state.ts';
import type { RunRecord } from '../log/event-store.ts';
import { replay, type Replayed } from './replay-run.ts';

/**
 * Replays runs of a log against today's machines, after a check of each hash chain. Without `runs` it replays all of
 * them, children and forks included. It reads the log and touches nothing else. Throws a `LogError` only where the log
 * as a whole cannot be used.
 *
 * @example
 * for await (const { run, kind } of checkLog(log)) console.log(run, kind);
 */
export async function* checkLog(
  log: Log,
  runs?: readonly RunRecord[],
  machines: readonly CatalogueEntry[] = catalogue,
): AsyncGenerator<Replayed> {
  for (const record of runs ?? (await log.runs())) yield await checkRun(log, record, machines);
}

async function checkRun(
  log: Log,
  { run, closed, version: head }: RunRecord,
  machines: readonly CatalogueEntry[],
): Promise<Replayed> {
  let version = 0;
  const snapshots = new Map<number, StoredSnapshot>();
  let edited: number | null = null;
  async function* noting(events: AsyncIterable<Envelope>): AsyncGenerator<Envelope> {
    for await (const envelope of events) {
      version = envelope.version;
      const stored = snapshots.get(version);
      if (stored && isAsStored(stored, envelope.mark) === false) edited ??= version;
      yield envelope;
    }
  }
  try {
    const verified = await log.verify(run);
    if (verified.kind === 'broken') return { kind: 'damaged', run, version: verified.version, reason: verified.reason };
    for (const stored of await snapshotsOf(log, run)) snapshots.set(stored.version, stored);
    const states = new Map([...snapshots].map(([at, { state }]) => [at, state]));
    const recording = { run, closed, events: noting(log.read(run)), snapshots: states };
    const replayed = await replay(recording, machines);
    if (edited !== null) return { kind: 'damaged', run, version: edited, reason: EDITED };
    const later = closed === null && isOfItsEnding(replayed) ? await log.run(run) : null;
    // The run ended during the check.
    return later && later.closed !== null ? await checkRun(log, later, machines) : replayed;
  } catch (error) {
    if (!(error instanceof LogError) || ['unavailable', 'lost'].includes(error.kind)) throw error;
    const reason = error.message.replace(`${log.store}: `, '');
    // The missing events came after all that are there.
    return { kind: 'damaged', run, version: (error.kind === 'diverged' ? head : version) + 1, reason };
  }
}

/** The run itself is sound, and goes on without it. */
const EDITED = 'its stored state is not the one that was stored: it is not used';

const isOfItsEnding = (replayed: Replayed): boolean =>
  replayed.kind === 'differs' && replayed.difference.sign === 'ending';

/** Every stored state whose hash the log still has. */
async function snapshotsOf(log: SnapshotStore, run: string): Promise<readonly StoredSnapshot[]> {
  const found: StoredSnapshot[] = [];
  for (let stored = await log.latestSnapshot(run); stored; stored = await log.latestSnapshot(run, stored.version - 1)) {
    found.push(stored);
  }
  return found;
}
