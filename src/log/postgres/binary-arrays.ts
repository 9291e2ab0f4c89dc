/** The types of the elements, by their numbers in the catalogue of the server. */
const BYTES = 17;
const INT8 = 20;
const INT4 = 23;
const TEXT = 25;

/** Number of dimensions, a mark for nulls and the type of the elements: all of an array that is empty. */
const EMPTY_BYTES = 12;
/** With the length and the first index of the only dimension. */
const HEAD_BYTES = 20;
const LENGTH_BYTES = 4;
const INT4_BYTES = 4;
const INT8_BYTES = 8;
/** The length of an element that is null. */
const NULL_LENGTH = -1;
const TWO_TO_32 = 2 ** 32;
/** No character takes more in UTF-8, for each of its UTF-16 units. */
const MAX_BYTES_OF_UNIT = 3;
/** Room that is kept from one statement to the next. A statement that takes more gets the rest for itself. */
const KEPT_BYTES = 512 * 1024;

/**
 * Arrays as parameters of a statement, in the binary format of the protocol: neither side escapes or parses a text, and
 * hashes travel as bytes. The driver sends a buffer as it is.
 *
 * They lie in memory that is used again once `restart` says that the statement before is over: large buffers that live
 * for one statement make the garbage collector look at the whole heap every hundred statements.
 */
export class BinaryArrays {
  readonly #kept = Buffer.allocUnsafeSlow(KEPT_BYTES);
  #used = 0;

  restart(): void {
    this.#used = 0;
  }

  ints(values: readonly number[]): Buffer {
    const array = this.#begin(INT4, values.length, values.length * INT4_BYTES);
    let at = HEAD_BYTES;
    for (const value of values) {
      at = array.writeInt32BE(INT4_BYTES, at);
      at = array.writeInt32BE(value, at);
    }
    return array;
  }

  /** Numbers that JavaScript holds exactly. */
  bigints(values: readonly number[]): Buffer {
    const array = this.#begin(INT8, values.length, values.length * INT8_BYTES);
    let at = HEAD_BYTES;
    for (const value of values) {
      at = array.writeInt32BE(INT8_BYTES, at);
      at = array.writeInt32BE(Math.floor(value / TWO_TO_32), at);
      at = array.writeUInt32BE(value >>> 0, at);
    }
    return array;
  }

  texts(values: readonly (string | null)[]): Buffer {
    let units = 0;
    for (const value of values) units += value?.length ?? 0;
    // Counting the bytes would cost as much as writing them.
    const array = this.#begin(TEXT, values.length, units * MAX_BYTES_OF_UNIT);
    let at = values.length === 0 ? EMPTY_BYTES : HEAD_BYTES;
    for (const value of values) {
      const written = value === null ? 0 : array.write(value, at + LENGTH_BYTES);
      array.writeInt32BE(value === null ? NULL_LENGTH : written, at);
      at += LENGTH_BYTES + written;
    }
    return this.#shortened(array, at);
  }

  /** Bytes that are given in hex. */
  hexes(values: readonly string[]): Buffer {
    let digits = 0;
    for (const value of values) digits += value.length;
    const array = this.#begin(BYTES, values.length, digits / 2);
    let at = HEAD_BYTES;
    for (const value of values) {
      const written = array.write(value, at + LENGTH_BYTES, 'hex');
      array.writeInt32BE(written, at);
      at += LENGTH_BYTES + written;
    }
    return array;
  }

  bytes(values: readonly (Uint8Array | null)[]): Buffer {
    let bytes = 0;
    for (const value of values) bytes += value?.length ?? 0;
    const array = this.#begin(BYTES, values.length, bytes);
    let at = HEAD_BYTES;
    for (const value of values) {
      at = array.writeInt32BE(value?.length ?? NULL_LENGTH, at);
      if (value) array.set(value, at);
      at += value?.length ?? 0;
    }
    return array;
  }

  /** The head of an array, with room for its elements, whose bytes are counted together. */
  #begin(type: number, count: number, elementBytes: number): Buffer {
    const array = this.#room(count === 0 ? EMPTY_BYTES : HEAD_BYTES + count * LENGTH_BYTES + elementBytes);
    array.writeInt32BE(count === 0 ? 0 : 1, 0);
    array.writeInt32BE(1, 4);
    array.writeInt32BE(type, 8);
    if (count === 0) return array;
    array.writeInt32BE(count, 12);
    array.writeInt32BE(1, 16);
    return array;
  }

  #room(bytes: number): Buffer {
    if (this.#used + bytes > KEPT_BYTES) return Buffer.allocUnsafe(bytes);
    this.#used += bytes;
    return this.#kept.subarray(this.#used - bytes, this.#used);
  }

  /** The newest array without the bytes that it did not need: the next one begins there. */
  #shortened(array: Buffer, bytes: number): Buffer {
    if (array.buffer === this.#kept.buffer) this.#used -= array.length - bytes;
    return array.subarray(0, bytes);
  }
}
