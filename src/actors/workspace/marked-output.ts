import type { Readable } from 'node:stream';

interface Told {
  readonly tooMuch: () => void;
  /** The mark of the end has come. */
  readonly ended: () => void;
}

/** Longer than any status after a mark. */
const MAX_STATUS_BYTES = 8;

/** What one command prints on a stream that many commands share: what stands between its two marks. */
export class MarkedOutput {
  /** What stands after the mark of the end. Null: it has not come yet. */
  status: string | null = null;
  hasBegun = false;
  readonly #stream: Readable;
  readonly #mark: string;
  readonly #maxBytes: number;
  readonly #told: Told;
  readonly #chunks: Buffer[] = [];
  #bytes = 0;
  /** What stands before the mark of the end. */
  #printed = 0;
  /** The newest bytes, as many as a mark can have. */
  #newest: Buffer = Buffer.alloc(0);

  constructor(stream: Readable, mark: string, maxBytes: number, told: Told) {
    this.#stream = stream;
    this.#mark = mark;
    this.#maxBytes = maxBytes;
    this.#told = told;
    stream.on('data', this.#take);
    stream.resume();
  }

  bytes(): Uint8Array {
    return Buffer.concat(this.#chunks).subarray(0, this.#printed);
  }

  stop(): void {
    this.#stream.off('data', this.#take);
    this.#stream.pause();
  }

  readonly #take = (chunk: Buffer): void => {
    if (this.status !== null) return;
    const all = Buffer.concat([this.#newest, chunk]);
    if (this.hasBegun) this.#add(chunk, all);
    else this.#begin(all);
  };

  /** What was printed before it is of an earlier command, which has left something that still prints. */
  #begin(all: Buffer): void {
    const at = all.indexOf(`${this.#mark}\n`);
    if (at < 0) {
      this.#newest = all.subarray(-this.#mark.length);
      return;
    }
    this.hasBegun = true;
    const chunk = all.subarray(at + this.#mark.length + 1);
    this.#add(chunk, chunk);
  }

  #add(chunk: Buffer, all: Buffer): void {
    this.#bytes += chunk.length;
    this.#newest = all.subarray(-(this.#mark.length + MAX_STATUS_BYTES));
    const end = this.#endIn(all);
    const printed = this.#bytes - (end ? all.length - end.at : this.#newest.length);
    // More comes until the command is ended, and is not kept.
    if (printed > this.#maxBytes) return this.#told.tooMuch();
    this.#chunks.push(chunk);
    if (!end) return;
    this.#printed = printed;
    this.status = end.status;
    this.#told.ended();
  }

  /** Behind it may stand what something prints that the command has left behind. */
  #endIn(all: Buffer): { readonly at: number; readonly status: string } | null {
    const at = all.indexOf(`${this.#mark} `);
    const from = at + this.#mark.length + 1;
    const to = at < 0 ? -1 : all.indexOf('\n', from);
    return to < 0 ? null : { at, status: all.toString('latin1', from, to) };
  }
}
