/** When a stretch of text counts as repeated. Lengths and distances are in UTF-16 code units. */
export interface RepetitionRule {
  /** Length of the repeated stretch. */
  readonly length: number;
  readonly times: number;
  /** The average distance between two of the last `times` occurrences, at most. */
  readonly distance: number;
  /** Different texts between the occurrences, at most: items of a list begin alike and end differently. */
  readonly distinct: number;
  /** Text further back is forgotten. */
  readonly history: number;
}

const BASE = 31;

/**
 * Notices when a stretch of text is repeated, character by character and at the same cost for each: by rolling hashes.
 */
export class RepeatedWindows {
  readonly #rule: RepetitionRule;
  readonly #leaving: number;
  /** The newest places of each stretch, by its hash. */
  readonly #places = new Map<number, number[]>();
  /** The hash of each stretch that is remembered, as a ring buffer. It grows: most texts are far shorter than it. */
  readonly #hashes: number[] = [];
  #text = '';
  /** Where `#text` begins. */
  #start = 0;
  #hash = 0;

  constructor(rule: RepetitionRule) {
    this.#rule = rule;
    let leaving = 1;
    for (let index = 1; index < rule.length; index += 1) leaving = Math.imul(leaving, BASE);
    this.#leaving = leaving;
  }

  /** The remembered text. */
  get text(): string {
    return this.#text.slice(-this.#rule.history);
  }

  forget(): void {
    this.#places.clear();
    this.#text = '';
    this.#start = 0;
    this.#hash = 0;
  }

  /** Whether a stretch is repeated too often with this piece. */
  add(piece: string): boolean {
    const from = this.#text.length;
    this.#text += piece;
    let isRepeated = false;
    for (let index = from; index < this.#text.length; index += 1) {
      const places = this.#take(index);
      // Comparing texts costs far more than remembering where they begin: one repetition is enough for a piece.
      isRepeated ||= places !== null && this.#isRepeated(places);
    }
    this.#trim();
    return isRepeated;
  }

  /** Remembers the stretch that ends here. Returns its newest places, once there are `times` of them. */
  #take(index: number): readonly number[] | null {
    const { length, times } = this.#rule;
    const inBefore = index >= length ? this.#text.charCodeAt(index - length) : 0;
    this.#hash = (Math.imul(this.#hash - Math.imul(inBefore, this.#leaving), BASE) + this.#text.charCodeAt(index)) | 0;
    if (index < length - 1) return null;
    const place = this.#start + index - length + 1;
    this.#forgetBefore(place);
    const places = this.#places.get(this.#hash) ?? [];
    if (places.length === 0) this.#places.set(this.#hash, places);
    places.push(place);
    if (places.length > times) places.shift();
    return places.length === times ? places : null;
  }

  #forgetBefore(place: number): void {
    const slot = place % this.#rule.history;
    if (place >= this.#rule.history) {
      const old = this.#hashes[slot] ?? 0;
      const places = this.#places.get(old);
      if (places && (places.at(-1) ?? 0) <= place - this.#rule.history) this.#places.delete(old);
    }
    this.#hashes[slot] = this.#hash;
  }

  #isRepeated(places: readonly number[]): boolean {
    const { length, times, distance, distinct } = this.#rule;
    const [first = 0] = places;
    const last = places.at(-1) ?? 0;
    if (last - first > distance * (times - 1)) return false;
    const at = (place: number, upTo: number) => this.#text.slice(place - this.#start, upTo - this.#start);
    const said = at(last, last + length);
    if (places.some((place) => at(place, place + length) !== said)) return false;
    const between = new Set(places.slice(1).map((place, index) => at(places[index] ?? 0, place)));
    return between.size <= distinct;
  }

  #trim(): void {
    const { history, length } = this.#rule;
    const excess = this.#text.length - 2 * (history + length);
    if (excess <= 0) return;
    const dropped = this.#text.length - history - length;
    this.#text = this.#text.slice(dropped);
    this.#start += dropped;
  }
}
