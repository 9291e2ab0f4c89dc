import { StringDecoder } from 'node:string_decoder';

/** The longest line that is read. A longer one says nothing that is worth its memory. */
const MAX_LINE_BYTES = 16 * 1_024 * 1_024;
/** The most that one prompt may print. */
const MAX_OUTPUT_BYTES = 1_024 * 1_024 * 1_024;

const NEWLINE = 10;

/** The error where there is more than is read. */
export class FloodError extends Error {
  override readonly name = 'FloodError';
}

/** Reads whole lines from pieces of bytes, within limits. What follows the last newline is returned by `end`. */
export class LineReader {
  readonly #maxLineBytes: number;
  readonly #maxBytes: number;
  /** Pieces, and not one buffer that grows: joining it for every piece takes quadratic time. */
  #held: Buffer[] = [];
  #heldBytes = 0;
  #bytes = 0;

  constructor(maxLineBytes = MAX_LINE_BYTES, maxBytes = MAX_OUTPUT_BYTES) {
    this.#maxLineBytes = maxLineBytes;
    this.#maxBytes = maxBytes;
  }

  /** Returns the lines that this piece ends. Throws a `FloodError` where there is too much. */
  read(piece: Buffer): string[] {
    this.#bytes += piece.length;
    if (this.#bytes > this.#maxBytes) throw new FloodError(`more than ${this.#maxBytes} bytes`);
    const last = piece.lastIndexOf(NEWLINE);
    if (last < 0) {
      this.#hold(piece);
      return [];
    }
    const first = piece.indexOf(NEWLINE);
    this.#hold(piece.subarray(0, first));
    const lines = [this.end()];
    if (first < last) lines.push(...textOf([piece.subarray(first + 1, last)]).split('\n'));
    this.#hold(piece.subarray(last + 1));
    return lines;
  }

  /** Returns the line that no newline has ended, which may be empty. */
  end(): string {
    const text = textOf(this.#held);
    this.#held = [];
    this.#heldBytes = 0;
    return text;
  }

  #hold(piece: Buffer): void {
    if (piece.length === 0) return;
    this.#heldBytes += piece.length;
    if (this.#heldBytes > this.#maxLineBytes) {
      this.#held = [];
      throw new FloodError(`a line of more than ${this.#maxLineBytes} bytes`);
    }
    this.#held.push(piece);
  }
}

/** Bytes that are no UTF-8 become the character that stands for them. */
function textOf(pieces: readonly Buffer[]): string {
  const decoder = new StringDecoder('utf8');
  return pieces.map((piece) => decoder.write(piece)).join('') + decoder.end();
}
