import type { Envelope } from '../log/envelope.ts';
import type { Log } from '../log/log.ts';
import { sentEvent, type SentEvent } from './event-message.ts';
import { untilMoved } from './until-moved.ts';

/** The newest events of a run that are kept encoded for all that follow it. */
const KEPT_EVENTS = 1_000;
const KEPT_BYTES = 4_194_304;

/** The end of one run, read once for all that follow it. */
interface Tail {
  readonly kept: Map<number, SentEvent>;
  bytes: number;
  head: number;
  isOver: boolean;
  failure: unknown;
  followers: number;
  moved: PromiseWithResolvers<void>;
  readonly stop: AbortController;
}

/** Follows runs: however many clients follow one, the log is read once. */
export class RunTails {
  readonly #log: Log;
  readonly #tails = new Map<string, Tail>();

  constructor(log: Log) {
    this.#log = log;
  }

  /** Each event of a run once, in order, from a version on, until the run is over or the signal aborts. */
  async *follow(run: string, from: number, signal: AbortSignal): AsyncGenerator<SentEvent> {
    const tail = await this.#tail(run);
    tail.followers += 1;
    let next = from;
    try {
      while (!signal.aborted) {
        const { moved, isOver, head } = tail;
        for await (const event of this.#upTo(run, tail, next, head)) {
          yield event;
          if (signal.aborted) return;
          next = event.id + 1;
        }
        if (tail.failure !== null) throw tail.failure;
        if (isOver) return;
        if (tail.head < next && !tail.isOver) await untilMoved(moved.promise, signal);
      }
    } finally {
      tail.followers -= 1;
      if (tail.followers === 0) this.#forget(run, tail);
    }
  }

  async #tail(run: string): Promise<Tail> {
    const known = this.#tails.get(run);
    if (known) return known;
    const head = (await this.#log.run(run))?.version ?? 0;
    const meanwhile = this.#tails.get(run);
    if (meanwhile) return meanwhile;
    const tail = newTail(head);
    this.#tails.set(run, tail);
    void this.#drive(run, tail);
    return tail;
  }

  async #drive(run: string, tail: Tail): Promise<void> {
    const { signal } = tail.stop;
    try {
      for await (const envelope of this.#log.follow(run, { from: tail.head + 1, signal })) keep(tail, envelope);
    } catch (error) {
      tail.failure = error;
    }
    tail.isOver = true;
    // The next follower starts anew: a closed run may have been forked, or a log repaired.
    if (this.#tails.get(run) === tail) this.#tails.delete(run);
    tail.moved.resolve();
  }

  async *#upTo(run: string, tail: Tail, from: number, head: number): AsyncGenerator<SentEvent> {
    for (let next = from; next <= head;) {
      const event = tail.kept.get(next);
      if (event) {
        yield event;
        next += 1;
        continue;
      }
      const before = next;
      for await (const envelope of this.#log.read(run, { from: next, to: head })) {
        yield sentEvent(envelope.version, envelope);
        next = envelope.version + 1;
        if (tail.kept.has(next)) break;
      }
      if (next === before) return;
    }
  }

  #forget(run: string, tail: Tail): void {
    tail.stop.abort();
    if (this.#tails.get(run) === tail) this.#tails.delete(run);
  }
}

const newTail = (head: number): Tail => ({
  kept: new Map(),
  bytes: 0,
  head,
  isOver: false,
  failure: null,
  followers: 0,
  moved: Promise.withResolvers<void>(),
  stop: new AbortController(),
});

function keep(tail: Tail, envelope: Envelope): void {
  const event = sentEvent(envelope.version, envelope);
  tail.kept.set(event.id, event);
  tail.bytes += event.frame.length;
  for (const [version, { frame }] of tail.kept) {
    if (tail.kept.size <= KEPT_EVENTS && tail.bytes <= KEPT_BYTES) break;
    tail.kept.delete(version);
    tail.bytes -= frame.length;
  }
  tail.head = event.id;
  tail.moved.resolve();
  tail.moved = Promise.withResolvers<void>();
}
