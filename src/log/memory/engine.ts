import type { Log } from '../log.ts';
import { SOUND } from '../store-audit.ts';
import { memoryEvents } from './run-events.ts';
import { memoryInbox } from './inbox.ts';
import { memoryLeases } from './leases.ts';
import { memoryOutbox } from './outbox.ts';
import { OpenStore } from './open-store.ts';
import { memorySnapshots } from './snapshots.ts';

export interface MemoryLogOptions {
  /** Store time in milliseconds since 1970. */
  readonly now?: () => number;
}

/**
 * A log that ends with this process: for tests, and for runs that need not be kept.
 *
 * @example
 * const log = memoryLog();
 */
export function memoryLog(options: MemoryLogOptions = {}): Log {
  const store = new OpenStore(options.now ?? Date.now);
  return {
    store: store.store,
    ...memoryEvents(store),
    ...memoryLeases(store),
    ...memoryInbox(store),
    ...memoryOutbox(store),
    ...memorySnapshots(store),
    ...SOUND,
    close: async () => store.close(),
  };
}
