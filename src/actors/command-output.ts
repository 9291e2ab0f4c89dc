import { PlainStream } from '../text/plain-stream.ts';
import { BoundedText } from './bounded.ts';
import { FailureLines } from './failure-lines.ts';
import { WholeOutput } from './whole-output.ts';

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
