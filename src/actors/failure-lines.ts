import { failureLinesIn } from '../text/failure-line.ts';
import type { MiddlePiece } from './bounded.ts';

/** Of the lines that are kept, from the first on and from the last one back. */
const MAX_LINES_OF_EACH = 15;
const MAX_LINE_CHARS = 300;

/** Lines of a text without end that name a failure: the first and the last ones, each text once. */
export class FailureLines {
  #first: MiddlePiece[] = [];
  #last: MiddlePiece[] = [];
  #seen = new Set<string>();
  #bytes = 0;

  /** Takes whole lines. Those that lie before the place `from`, in bytes, are not kept. */
  add(text: string, from: number): void {
    let [read, bytes] = [0, this.#bytes];
    for (const { at, line } of failureLinesIn(text)) {
      bytes += Buffer.byteLength(text.slice(read, at));
      read = at;
      if (bytes >= from) this.#keep({ at: bytes, text: line.slice(0, MAX_LINE_CHARS).toWellFormed() });
    }
    this.#bytes = bytes + Buffer.byteLength(text.slice(read));
  }

  kept(): readonly MiddlePiece[] {
    return [...this.#first, ...this.#last];
  }

  #keep(piece: MiddlePiece): void {
    if (this.#seen.has(piece.text)) return;
    if (this.#first.length < MAX_LINES_OF_EACH) {
      this.#seen.add(piece.text);
      this.#first.push(piece);
      return;
    }
    this.#last = [...this.#last.filter(({ text }) => text !== piece.text), piece].slice(-MAX_LINES_OF_EACH);
  }
}
