import type { Log } from '../log/log.ts';
import { sentEvent, type SentEvent } from './event-message.ts';
import { untilMoved } from './until-moved.ts';

/** How often the log is asked what has changed: one look for all that follow it. */
const LOOK_MS = 500;

/** The trees of runs that have recorded something, as they do. The id of an event is a position of the log. */
export class LogFeed {
  readonly #log: Pick<Log, 'changes'>;
  #followers = 0;
  #position = 0;
  #moved = Promise.withResolvers<void>();
  #timer: NodeJS.Timeout | undefined;

  constructor(log: Pick<Log, 'changes'>) {
    this.#log = log;
  }

  /** From a position on: null is now. */
  async *follow(since: number | null, signal: AbortSignal): AsyncGenerator<SentEvent> {
    this.#followers += 1;
    try {
      let position = since ?? (await this.#log.changes(null)).position;
      yield sentEvent(position, { position, trees: [] });
      this.#start();
      while (!signal.aborted) {
        const moved = this.#moved.promise;
        const changes = await this.#log.changes(position);
        if (changes.position > position) {
          position = changes.position;
          yield sentEvent(position, { position, trees: changes.trees });
        } else await untilMoved(moved, signal);
      }
    } finally {
      this.#followers -= 1;
      if (this.#followers === 0) this.#stop();
    }
  }

  #start(): void {
    this.#timer ??= setInterval(() => void this.#look(), LOOK_MS).unref();
  }

  #stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  async #look(): Promise<void> {
    const { position } = await this.#log.changes(null).catch(() => ({ position: this.#position }));
    if (position === this.#position) return;
    this.#position = position;
    const { resolve } = this.#moved;
    this.#moved = Promise.withResolvers<void>();
    resolve();
  }
}
