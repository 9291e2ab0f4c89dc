import { PlainStream } from '../text/plain-stream.ts';
import { BoundedText, type MiddlePiece } from './bound-text.ts';
import { WholeOutput } from './whole-output.ts';
import { failureLinesIn } from '../text/failure-line.ts';

/** Of the lines that are kept, from the first on and from the last one back. */
const MAX_LINES_OF_EACH = 15;
const MAX_LINE_CHARS = 300;

/** Lines of a text without end that name a failure: the first and the last ones, each text once. */
class FailureLines {
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

/**
 * The output of a command as a model reads it: without escape codes, and where it is too long its beginning, its end,
 * and between them the lines that name a failure.
 */
export class CommandOutput {
  readonly #maxBytes: number;
  readonly #keptFor: string | null;
  readonly #plain = new PlainStream();
  readonly #bounded: BoundedText;
  readonly #failures = new FailureLines();
  /** Until it is too long. */
  #pieces: string[] = [];
  #whole: WholeOutput | null = null;

  /** `keptFor`: the run whose tools may read the whole output. Null: it is not kept. */
  constructor(maxBytes: number, keptFor: string | null) {
    this.#maxBytes = maxBytes;
    this.#keptFor = keptFor;
    this.#bounded = new BoundedText(maxBytes);
  }

  add(text: string): void {
    this.#take(this.#plain.add(text));
  }

  /** Ends it, and returns its text. `whole` says where all of it is. */
  end(): { readonly output: string; readonly whole?: string } {
    this.#take(this.#plain.end());
    const whole = this.#whole?.end() ?? null;
    return { output: this.#bounded.toString(this.#failures.kept()), ...(whole === null ? {} : { whole }) };
  }

  #take(text: string): void {
    if (text === '') return;
    const before = this.#bounded.totalBytes;
    this.#bounded.add(text);
    this.#failures.add(text, this.#bounded.headBytes);
    if (this.#keptFor === null) return;
    if (before > this.#maxBytes) return this.#whole?.add(text);
    this.#pieces.push(text);
    if (this.#bounded.totalBytes <= this.#maxBytes) return;
    this.#whole = WholeOutput.begin(this.#keptFor);
    for (const piece of this.#pieces) this.#whole?.add(piece);
    this.#pieces = [];
  }
}
