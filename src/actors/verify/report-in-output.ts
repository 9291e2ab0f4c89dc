/** Of a report that is looked for in what a check prints, or read from its file. */
export const MAX_REPORT_BYTES = 4_194_304;

/** All that a command prints, or null once that is more than any report we read. */
export class Printed {
  #pieces: string[] = [];
  #bytes = 0;

  add(piece: string): void {
    this.#bytes += Buffer.byteLength(piece);
    if (this.#bytes > MAX_REPORT_BYTES) this.#pieces = [];
    else this.#pieces.push(piece);
  }

  text(): string | null {
    return this.#bytes > MAX_REPORT_BYTES ? null : this.#pieces.join('');
  }
}
