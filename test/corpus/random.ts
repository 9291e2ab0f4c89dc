/** Numbers that look like chance and are the same for the same seed (mulberry32). */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed * 2_654_435_761 + 1;
  }

  /** From 0 up to, and without, 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number, both ends included. */
  from(least: number, most: number): number {
    return least + Math.floor(this.next() * (most - least + 1));
  }

  one<Value>(values: readonly Value[]): Value {
    const value = values[this.from(0, values.length - 1)];
    if (value === undefined) throw new RangeError('nothing to choose from');
    return value;
  }

  /** So many of them, each at most once. */
  some<Value>(values: readonly Value[], count: number): Value[] {
    const left = [...values];
    return Array.from({ length: Math.min(count, left.length) }, () =>
      left.splice(this.from(0, left.length - 1), 1),
    ).flat();
  }
}
