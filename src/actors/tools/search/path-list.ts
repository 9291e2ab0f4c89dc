import { BoundedText } from '../../bound-text.ts';
import { MAX_OUTPUT_BYTES } from '../define-tool.ts';

/** Room for the notes at the end. */
const NOTE_BYTES = 1_000;

/** Paths, one a line, the first so many of them, and how many there were. */
export class PathList {
  readonly #max: number;
  readonly #text = new BoundedText(MAX_OUTPUT_BYTES - NOTE_BYTES);
  #count = 0;

  constructor(max: number) {
    this.#max = max;
  }

  add(path: string): void {
    this.#count += 1;
    // A name may hold a line end, and would look like two.
    if (this.#count <= this.#max) this.#text.add(`${/[\n\r]/.test(path) ? JSON.stringify(path) : path}\n`);
  }

  /** With what else is to be said; `none` where it is empty. */
  said(none: string, notes: readonly string[]): string {
    const left = this.#count - this.#max;
    const more = left > 0 ? [`only the first ${this.#max}, ${left} more`] : [];
    const lines = [...(this.#count === 0 ? [none] : []), ...more, ...notes].map((note) => `[${note}]`);
    return `${this.#text}${lines.join('\n')}`.trimEnd();
  }
}
