import { StringDecoder } from 'node:string_decoder';
import { gapNote } from '../log/gap.ts';

/** Room for the note that names the gap. No smaller limit can be held. */
const GAP_NOTE_BYTES = 64;

/** A piece of the middle that is kept, by its place in bytes. */
export interface MiddlePiece {
  readonly at: number;
  readonly text: string;
}

/**
 * Text that may grow without end, kept within `maxBytes` of UTF-8: all of it where it fits, else its head and its tail
 * and between them a note that says how much was left out. No character is ever split.
 *
 * @example
 * const output = new BoundedText(30_000);
 * for (const chunk of chunks) output.add(chunk);
 * console.log(output.toString());
 */
export class BoundedText {
  readonly #maxBytes: number;
  readonly #head: Buffer;
  #headLength = 0;
  #tail: Buffer[] = [];
  #tailLength = 0;
  #totalBytes = 0;

  constructor(maxBytes: number) {
    if (maxBytes < GAP_NOTE_BYTES) {
      throw new RangeError(`maxBytes: expected at least ${GAP_NOTE_BYTES}, got ${maxBytes}`);
    }
    this.#maxBytes = maxBytes;
    this.#head = Buffer.alloc(Math.floor((maxBytes - GAP_NOTE_BYTES) / 2));
  }

  /** Of everything that was added, kept or not. */
  get totalBytes(): number {
    return this.#totalBytes;
  }

  /** Of its head, where it does not fit. */
  get headBytes(): number {
    return this.#head.length;
  }

  /** Whole characters only: decode a stream before it comes here. */
  add(text: string): void {
    const bytes = Buffer.from(text);
    this.#totalBytes += bytes.length;
    const taken = bytes.copy(this.#head, this.#headLength);
    this.#headLength += taken;
    if (taken < bytes.length) this.#addToTail(bytes.subarray(taken));
  }

  /** `middle`: pieces of what was added, in order. They get up to half of the room of the tail. */
  toString(middle: readonly MiddlePiece[] = []): string {
    const head = this.#head.subarray(0, this.#headLength);
    const tail = Buffer.concat(this.#tail);
    if (this.#totalBytes <= this.#maxBytes) return Buffer.concat([head, tail]).toString();
    const room = this.#maxBytes - GAP_NOTE_BYTES - this.#head.length;
    const start = wholeHead(head);
    const pieces = this.#fitting(middle, Math.floor(room / 2), this.#totalBytes - room);
    const cost = pieces.reduce((sum, { text }) => sum + costOf(text), 0);
    const end = wholeTail(tail.subarray(tail.length - (room - cost)));
    let [shown, at] = [start.toString(), start.length];
    for (const piece of pieces) {
      shown += between(piece.at - at) + piece.text;
      at = piece.at + Buffer.byteLength(piece.text);
    }
    return `${shown}${gapNote(this.#totalBytes - at - end.length)}${end}`;
  }

  #fitting(middle: readonly MiddlePiece[], room: number, before: number): readonly MiddlePiece[] {
    let left = room;
    return middle.filter(({ at, text }) => {
      if (at < this.#head.length || at + Buffer.byteLength(text) > before || costOf(text) > left) return false;
      left -= costOf(text);
      return true;
    });
  }

  /** Keeps what the whole needs if it turns out to fit, which is a little more than is shown if it does not. */
  #addToTail(bytes: Buffer): void {
    const keep = this.#maxBytes - this.#head.length;
    const kept = bytes.length > keep ? Buffer.from(bytes.subarray(bytes.length - keep)) : bytes;
    this.#tail.push(kept);
    this.#tailLength += kept.length;
    for (let first = this.#tail[0]; first && this.#tailLength - first.length >= keep; first = this.#tail[0]) {
      this.#tailLength -= first.length;
      this.#tail.shift();
    }
  }
}

/** The text within `maxBytes`, cut as `BoundedText` cuts. */
export function boundText(text: string, maxBytes: number): string {
  if (Buffer.byteLength(text) <= maxBytes) return text.toWellFormed();
  const bounded = new BoundedText(maxBytes);
  bounded.add(text);
  return bounded.toString();
}

const costOf = (text: string): number => Buffer.byteLength(text) + GAP_NOTE_BYTES;

/** Lines that follow one another have only their newline between them. */
const between = (bytes: number): string => (bytes <= 1 ? '\n'.repeat(bytes) : gapNote(bytes));

/** Without a last character that the end cuts off. */
const wholeHead = (bytes: Buffer): Buffer => Buffer.from(new StringDecoder('utf8').write(bytes));

/** Without a first character that the beginning cuts off. */
function wholeTail(bytes: Buffer): Buffer {
  const isContinuation = (byte: number) => (byte & 0b1100_0000) === 0b1000_0000;
  const start = bytes.findIndex((byte) => !isContinuation(byte));
  return bytes.subarray(start === -1 ? bytes.length : start);
}
