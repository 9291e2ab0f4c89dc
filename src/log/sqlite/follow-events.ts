import type { Envelope } from '../envelope.ts';
import { envelopeOf } from '../event-envelope.ts';
import type { Following } from '../event-store.ts';
import { follow, type Followed } from '../follow.ts';
import type { OpenStore } from './open-store.ts';
import type { RunsTable } from './runs-table.ts';

/** The envelopes of a run from a version on, and those that come. The store is polled while they are waited for. */
export async function* followRun(
  store: OpenStore,
  run: string,
  { from = 1, signal, salts = false }: Following,
): AsyncGenerator<Envelope> {
  store.reading(() => store.headCheck.segments(run));
  store.poll.start();
  try {
    yield* follow(followedOf(store, salts), run, Math.max(1, from), signal);
  } finally {
    store.poll.stop();
  }
}

function followedOf(store: OpenStore, salts: boolean): Followed {
  const { events, runs } = store.tables;
  return {
    watch: store.watch,
    page(run, from) {
      if (store.isClosed) return [];
      return store.reading(() => {
        const row = runs.find(run);
        const segment = row && runs.segments(row).find(({ to }) => to >= from);
        return segment ? events.pages.whole(segment, from).map((event) => envelopeOf(event, store, salts)) : [];
      });
    },
    isOver: (run) => store.isClosed || store.reading(() => isEnded(runs, run)),
  };
}

function isEnded(runs: RunsTable, run: string): boolean {
  const row = runs.find(run);
  return row !== null && runs.ending(row) !== null;
}
