/** Something that happens at a moment of virtual time. */
export interface Happening {
  readonly due: number;
  readonly order: number;
  readonly happen: () => void;
}

/** Time that passes only when something happens: the next happening is always at once. Milliseconds. */
export class VirtualTime {
  now = 0;
  /** Earliest last, so that the next one is cheap to take. */
  readonly #ahead: Happening[] = [];
  #count = 0;

  after(milliseconds: number, happen: () => void): Happening {
    const due = this.now + Math.max(0, milliseconds);
    const happening = { due, order: (this.#count += 1), happen };
    this.#ahead.splice(this.#placeOf(happening), 0, happening);
    return happening;
  }

  cancel(happening: Happening): void {
    const place = this.#ahead.indexOf(happening);
    if (place >= 0) this.#ahead.splice(place, 1);
  }

  /** Lets the next thing happen. False: nothing is left to happen. */
  advance(): boolean {
    const next = this.#ahead.pop();
    if (!next) return false;
    this.now = Math.max(this.now, next.due);
    next.happen();
    return true;
  }

  #placeOf({ due, order }: Happening): number {
    let [low, high] = [0, this.#ahead.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      const other = this.#ahead[middle];
      const isLater = other !== undefined && (other.due > due || (other.due === due && other.order > order));
      if (isLater) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
