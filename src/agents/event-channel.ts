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
export class EventChannel<Value> implements AsyncIterable<Value> {
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
