import { catalogue, type CatalogueEntry } from '../../machines/index.ts';
import { LogError, type Log, type SnapshotStore, type StoredSnapshot } from '../log/log.ts';
import { isAsStored } from '../log/state-mark.ts';
import type { BareEnvelope, RunRecord } from '../log/event-store.ts';
import { type Replayed, Replaying } from './replay-run.ts';

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

async function checkRun(log: Log, record: RunRecord, machines: readonly CatalogueEntry[]): Promise<Replayed> {
  const { run, closed, version: head } = record;
  let version = 0;
  try {
    const snapshots = new Map((await snapshotsOf(log, run)).map((stored) => [stored.version, stored]));
    const checking = new Checking(record, snapshots, machines);
    const pages = log.readVerified(run);
    for (let page = await pages.next(); ; page = await pages.next()) {
      if (page.done) {
        if (page.value.kind === 'broken')
          return { kind: 'damaged', run, version: page.value.version, reason: page.value.reason };
        break;
      }
      for (const envelope of page.value) {
        version = envelope.version;
        checking.take(envelope);
      }
    }
    const replayed = checking.end();
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

/** The replay of a run whose chain is verified at the same time: its result counts once all of that holds. */
class Checking {
  readonly #run: string;
  readonly #snapshots: ReadonlyMap<number, StoredSnapshot>;
  readonly #replaying: Replaying;
  #edited: number | null = null;
  #replayed: Replayed | null = null;
  /** A bug, which is told once the chain is known to hold. */
  #failed: { readonly error: unknown } | null = null;

  constructor(
    { run, closed }: RunRecord,
    snapshots: ReadonlyMap<number, StoredSnapshot>,
    machines: readonly CatalogueEntry[],
  ) {
    this.#run = run;
    this.#snapshots = snapshots;
    const states = new Map([...snapshots].map(([at, { state }]) => [at, state]));
    this.#replaying = new Replaying({ run, closed, snapshots: states }, machines);
  }

  take(envelope: BareEnvelope): void {
    if (this.#replayed || this.#failed) return;
    const { version, mark } = envelope;
    const stored = this.#snapshots.get(version);
    if (stored && isAsStored(stored, mark) === false) this.#edited ??= version;
    try {
      this.#replayed = this.#replaying.take(envelope);
    } catch (error) {
      this.#failed = { error };
    }
  }

  end(): Replayed {
    if (this.#failed) throw this.#failed.error;
    const replayed = this.#replayed ?? this.#replaying.end();
    return this.#edited === null
      ? replayed
      : { kind: 'damaged', run: this.#run, version: this.#edited, reason: EDITED };
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
