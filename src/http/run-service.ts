import { type KeptEnd, KeptRuns } from '../app/kept/run-cache.ts';
import type { LiveRun } from '../app/running/live-runs.ts';
import type { App } from '../app/app.ts';

/** How long a server that stops waits for its runs to be paused, in milliseconds. */
const STOP_MS = 20_000;

/** The runs that work in the process of a server. */
export class ServedRuns {
  readonly #loops: App;
  readonly #kept: KeptRuns;
  readonly #open = new Map<string, Promise<KeptEnd>>();

  constructor(loops: App, warn: (message: string) => void) {
    this.#loops = loops;
    this.#kept = new KeptRuns(loops, { warn });
  }

  /** Lets a run go on however long it waits for people. Its end is in the log. */
  keep(live: LiveRun): void {
    const { run, done } = this.#kept.keep(live);
    const over = done.finally(() => this.#open.delete(run));
    over.catch(() => {});
    this.#open.set(run, over);
  }

  /** Pauses those that work, so that they can be resumed. */
  async stop(): Promise<void> {
    const { log } = this.#loops;
    const here = await Promise.all(
      [...this.#open].map(async ([run, over]) => ((await log.holder(run))?.pid === process.pid ? [{ run, over }] : [])),
    );
    const paused = here.flat().map(async ({ run, over }) => {
      await this.#loops.pause(run);
      await over;
    });
    await Promise.race([Promise.allSettled(paused), after(STOP_MS)]);
    this.#kept.stop();
  }
}

const after = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });
