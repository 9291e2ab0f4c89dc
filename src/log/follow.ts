import type { Envelope } from './envelope.ts';
import type { Watch } from './watch.ts';

/** The part of an engine that following needs. */
export interface Followed {
  readonly watch: Watch;
  /** The next envelopes from a version on; empty at the end. */
  page(run: string, from: number): readonly Envelope[] | Promise<readonly Envelope[]>;
  /** True when the run accepts nothing more, or the log itself was closed. */
  isOver(run: string): boolean | Promise<boolean>;
}

/** A run from a version on, and whatever is appended to it, until it is over or the signal aborts. */
export async function* follow(log: Followed, run: string, from: number, signal: AbortSignal): AsyncGenerator<Envelope> {
  const watcher = log.watch.open(run);
  let next = from;
  try {
    while (!signal.aborted) {
      // Asked before the pages are read: what closes the run in between is in them or comes with the next round.
      const isOver = await log.isOver(run);
      for await (const envelope of upToNow(log, run, next)) {
        yield envelope;
        if (signal.aborted) return;
        next = envelope.version + 1;
      }
      if (isOver) return;
      await watcher.next(signal);
    }
  } finally {
    watcher.close();
  }
}

async function* upToNow(log: Followed, run: string, from: number): AsyncGenerator<Envelope> {
  for (let next = from; ;) {
    const page = await log.page(run, next);
    const last = page.at(-1);
    if (!last) return;
    yield* page;
    next = last.version + 1;
  }
}
