/** Spans of one request. */
const MAX_SPANS = 1_024;
/** Characters of the spans of one request: collectors refuse bodies of 4 MiB and more. A span may be longer alone. */
const MAX_CHARS = 1_048_576;

/** The most that waits. Further spans are left to a later export. */
interface Room {
  readonly spans: number;
  readonly chars: number;
}

/** Spans as texts that wait for a collector, in order. */
export class SpanQueue {
  readonly #room: Room;
  #texts: string[] = [];
  #chars = 0;
  /** How many there was no room for. */
  leftOut = 0;

  constructor(room: Room) {
    this.#room = room;
  }

  get length(): number {
    return this.#texts.length;
  }

  get isFullBatch(): boolean {
    return this.#texts.length >= MAX_SPANS || this.#chars >= MAX_CHARS;
  }

  add(texts: readonly string[]): void {
    for (const text of texts) {
      if (this.#texts.length >= this.#room.spans || this.#chars + text.length > this.#room.chars) this.leftOut += 1;
      else {
        this.#texts.push(text);
        this.#chars += text.length;
      }
    }
  }

  /** The spans of the next request. They stay until `remove`. */
  batch(): readonly string[] {
    let chars = 0;
    const above = this.#texts.findIndex((text, at) => {
      chars += text.length;
      return at >= MAX_SPANS || (at > 0 && chars > MAX_CHARS);
    });
    return above < 0 ? this.#texts : this.#texts.slice(0, above);
  }

  remove(count: number): void {
    const removed = this.#texts.slice(0, count);
    this.#texts = this.#texts.slice(count);
    for (const text of removed) this.#chars -= text.length;
  }
}
