/**
 * Work that many runs of a process repeat at the same interval, under one timer. It runs while a run takes part, and
 * what is written in one round shares a commit.
 *
 * @example
 * const renewals = new SharedTimer(5_000);
 * const leave = renewals.join(() => void renew());
 */
export class SharedTimer {
  readonly #everyMs: number;
  readonly #works = new Set<() => void>();
  #timer: NodeJS.Timeout | undefined;

  constructor(everyMs: number) {
    this.#everyMs = everyMs;
  }

  /** Does the work at every round, until the function that is handed back is called. */
  join(work: () => void): () => void {
    // One more of the same function would be the same member.
    const own = (): void => work();
    this.#works.add(own);
    this.#timer ??= setInterval(() => this.#round(), this.#everyMs);
    return () => {
      this.#works.delete(own);
      if (this.#works.size > 0) return;
      clearInterval(this.#timer);
      this.#timer = undefined;
    };
  }

  #round(): void {
    for (const work of this.#works) work();
  }
}
