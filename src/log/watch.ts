/** Wakes the followers of a run when it changes. A change while a follower is not waiting is remembered, never lost. */
export class Watch {
  readonly #watchers = new Set<Watcher>();

  open(run: string): Watcher {
    const watcher = new Watcher(run, () => this.#watchers.delete(watcher));
    this.#watchers.add(watcher);
    return watcher;
  }

  /** Something was appended to a run; without a name, to any. */
  changed(run?: string): void {
    for (const watcher of this.#watchers) {
      if (run === undefined || watcher.run === run) watcher.wake();
    }
  }
}

export class Watcher {
  readonly run: string;
  readonly close: () => void;
  #hasChanged = false;
  #resolve: (() => void) | null = null;

  constructor(run: string, close: () => void) {
    this.run = run;
    this.close = close;
  }

  wake(): void {
    this.#hasChanged = true;
    this.#resolve?.();
  }

  /** Resolves at once when the run changed since the last call returned, else at the next change or on abort. */
  async next(signal: AbortSignal): Promise<void> {
    if (!this.#hasChanged && !signal.aborted) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const stop = () => resolve();
      this.#resolve = resolve;
      signal.addEventListener('abort', stop, { once: true });
      await promise;
      signal.removeEventListener('abort', stop);
    }
    this.#hasChanged = false;
  }
}
