import { type AgentEnding, endingOf } from './agent-ending.ts';
import type { Agent, AgentEvent, AgentTask } from './agent-port.ts';
import { Watch } from './agent-watch.ts';

/** The number of values that may wait before the producer should: a piece of text each, so some kilobytes. */
const MOST_WAITING = 256;

/**
 * Values on their way from one producer to one reader. A producer that awaits `ready` never gets far ahead of a slow
 * reader.
 *
 * @example
 * const channel = new EventChannel<string>();
 * void produce(channel).finally(() => channel.close());
 * for await (const value of channel) console.log(value);
 */
class EventChannel<Value> implements AsyncIterable<Value> {
  readonly #waiting: Value[] = [];
  #isClosed = false;
  #arrived = Promise.withResolvers<void>();
  #taken = Promise.withResolvers<void>();

  /** Nothing is added to a closed channel. */
  add(value: Value): void {
    if (this.#isClosed) return;
    this.#waiting.push(value);
    this.#arrived.resolve();
  }

  close(): void {
    this.#isClosed = true;
    this.#arrived.resolve();
    this.#taken.resolve();
  }

  /** Resolves when there is room for more. */
  async ready(): Promise<void> {
    while (!this.#isClosed && this.#waiting.length >= MOST_WAITING) {
      this.#taken = Promise.withResolvers();
      await this.#taken.promise;
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Value> {
    for (;;) {
      for (let value = this.#waiting.shift(); value !== undefined; value = this.#waiting.shift()) {
        this.#taken.resolve();
        yield value;
      }
      if (this.#isClosed) return;
      this.#arrived = Promise.withResolvers();
      await this.#arrived.promise;
    }
  }
}

/** The things that an adapter has while its agent works. */
export interface AgentWork {
  readonly task: AgentTask;
  readonly tell: (event: AgentEvent) => void;
  /** Resolves when there is room for more events: read no more before. */
  readonly ready: () => Promise<void>;
  readonly watch: Watch;
}

/** Makes an agent from what drives it to its ending. Nothing of it runs any more when its last event is read. */
export function agentOf(drive: (work: AgentWork) => Promise<AgentEnding>): Agent {
  return async function* work(task) {
    const channel = new EventChannel<AgentEvent>();
    const left = new AbortController();
    const signal = AbortSignal.any([task.signal, left.signal]);
    const watch = new Watch({ ...task, signal }, (ms) => channel.add({ kind: 'quiet', ms }));
    // Agents call a command completed that they were told to stop: nothing that they say of calls then is believed.
    const tell = (event: AgentEvent) => {
      if (event.kind !== 'call' || !watch.isCut) channel.add(event);
    };
    const done = drive({ task, tell, ready: () => channel.ready(), watch })
      .catch((error: unknown) => endingOf('failed', error instanceof Error ? error.message : String(error)))
      .then((ending) => {
        watch.stop();
        tell({ kind: 'ended', ending });
        channel.close();
      });
    try {
      yield* channel;
    } finally {
      // Its reader may have left early: then it is told to stop, and nothing waits for room.
      left.abort();
      channel.close();
      await done;
    }
  };
}
