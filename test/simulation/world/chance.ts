const GOLDEN = 0x9e37_79b9;

/** Draws from a seed: the same draws in the same order, on every machine. */
export class Chance {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** From 0 on, below 1. */
  draw(): number {
    this.#state = (this.#state + GOLDEN) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 16), 0x85eb_ca6b);
    mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2_ae35);
    return ((mixed ^ (mixed >>> 16)) >>> 0) / 2 ** 32;
  }

  /** A whole number from 0 on, below `limit`. */
  below(limit: number): number {
    return Math.floor(this.draw() * limit);
  }

  between(least: number, most: number): number {
    return least + this.below(most - least + 1);
  }

  happens(probability: number): boolean {
    return this.draw() < probability;
  }

  pick<Item>(items: readonly [Item, ...Item[]]): Item {
    return items[this.below(items.length)] ?? items[0];
  }

  /** Draws of their own, so that more of them change nothing elsewhere. */
  apart(): Chance {
    return new Chance(Math.floor(this.draw() * 2 ** 32));
  }
}
