import { chain, type StoredEvent } from '../../../src/log/chain.ts';
import type { Prepared } from '../../../src/log/prepare-events.ts';
import type { MemoryRun } from './memory-run.ts';

/** Gives events their positions, and keeps their blobs. The events themselves lie in their run. */
export class EventsTable {
  readonly #blobs = new Map<string, string>();
  #position = 0;

  insert(run: MemoryRun, epoch: number, events: readonly Prepared[]): readonly StoredEvent[] {
    for (const { blob } of events) if (blob) this.#blobs.set(blob.sha256, blob.text);
    const chained = chain(run.head, run.run, epoch, events);
    const stored = chained.map((event) => ({ ...event, position: (this.#position += 1) }));
    run.own.push(...stored);
    return stored;
  }

  blobText(sha: string): string | null {
    return this.#blobs.get(sha) ?? null;
  }
}
