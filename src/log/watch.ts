/** Wakes the followers of a run when it changes. A change while a follower is not waiting is remembered, never lost. */
export class Watch {
  readonly #watchers = new Set<Watcher>();

  /** Null: of every run. */
  open(run: string | null): Watcher {
    const watcher = new Watcher(run, () => this.#watchers.delete(watcher));
    this.#watchers.add(watcher);
    return watcher;
  }

  /** Something was appended to a run; without a name, to any. */
  changed(run?: string): void {
    for (const watcher of this.#watchers) {
      if (run === undefined || watcher.run === null || watcher.run === run) watcher.wake();
    }
  }
}

export class Watcher {
  readonly run: string | null;
  readonly close: () => void;
  #hasChanged = false;
  readonly #waiting = new Set<() => void>();

  constructor(run: string | null, close: () => void) {
    this.run = run;
    this.close = close;
  }

  wake(): void {
    this.#hasChanged = true;
    for (const resolve of this.#waiting) resolve();
  }

  /** Resolves at once when the run changed since the last call returned, else at the next change or on abort. */
  async next(signal: AbortSignal): Promise<void> {
    if (!this.#hasChanged && !signal.aborted) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const stop = () => resolve();
      this.#waiting.add(resolve);
      signal.addEventListener('abort', stop, { once: true });
      await promise;
      signal.removeEventListener('abort', stop);
      this.#waiting.delete(resolve);
    }
    this.#hasChanged = false;
  }
}

/** Resolves at the next change that a watcher sees, at once where it has seen one, or when the time is over. */
export async function changeWithin(watcher: Watcher, signal: AbortSignal, mostMs: number): Promise<void> {
  // One controller of its own: a signal made by `AbortSignal.any` may be collected while it is waited for.
  const over = new AbortController();
  const stop = () => over.abort();
  const timer = setTimeout(stop, mostMs);
  signal.addEventListener('abort', stop, { once: true });
  try {
    if (!signal.aborted) await watcher.next(over.signal);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
  }
}
