import type { Chance } from './chance.ts';

/** What a disk writes whole or not at all. A write of several is torn between them, in any order. */
const SECTOR_BYTES = 128;

export type DiskFault = 'ENOSPC' | 'EIO' | 'short' | 'EIO at sync';

/** A call on the disk failed. How much of a write it did is unknown to the caller. */
export class DiskError extends Error {
  override readonly name = 'DiskError';
  readonly code: 'ENOSPC' | 'EIO';

  constructor(code: DiskError['code']) {
    super(`${code}: a simulated disk error`);
    this.code = code;
  }
}

interface Written {
  readonly at: number;
  readonly bytes: Uint8Array;
}

/** Bytes that may grow. */
class Content {
  #bytes = Buffer.alloc(1024);
  #length = 0;

  static copyOf(other: Content): Content {
    const copy = new Content();
    copy.put({ at: 0, bytes: other.bytes });
    return copy;
  }

  get bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  put({ at, bytes }: Written): void {
    this.#length = Math.max(this.#length, at + bytes.length);
    if (this.#length > this.#bytes.length) {
      const larger = Buffer.alloc(2 * this.#length);
      this.#bytes.copy(larger);
      this.#bytes = larger;
    }
    this.#bytes.set(bytes, at);
  }
}

/** A file: what is on the platter, and what has been written since the last barrier, in order. */
class DiskFile {
  readonly onPlatter = new Content();
  readonly cached: Written[] = [];
}

/**
 * A disk with a cache: what is written is read back at once, and is lost in a power cut unless a barrier (`sync`) came
 * after it. Without one, any of its sectors may have reached the platter, in any order.
 */
export class SimulatedDisk {
  readonly #files = new Map<string, DiskFile>();
  readonly #chance: Chance;
  /** The next write, or the next barrier, fails so. */
  fault: DiskFault | null = null;

  constructor(chance: Chance) {
    this.#chance = chance;
  }

  write(name: string, at: number, bytes: Uint8Array): void {
    const fault = this.#takeFault(['ENOSPC', 'EIO', 'short']);
    const written = fault === 'short' || fault === 'EIO' ? this.#chance.below(bytes.length) : bytes.length;
    if (fault !== 'ENOSPC') this.#cache(name, at, bytes.subarray(0, written));
    if (fault) throw new DiskError(fault === 'EIO' ? 'EIO' : 'ENOSPC');
  }

  /** A barrier: what was written before is on the platter. */
  sync(name: string): void {
    if (this.#takeFault(['EIO at sync'])) throw new DiskError('EIO');
    const file = this.#file(name);
    for (const write of file.cached.splice(0)) file.onPlatter.put(write);
  }

  read(name: string): Uint8Array {
    const { onPlatter, cached } = this.#file(name);
    const seen = Content.copyOf(onPlatter);
    for (const write of cached) seen.put(write);
    return seen.bytes;
  }

  /** Files by the beginning of their names. */
  names(prefix: string): readonly string[] {
    return [...this.#files.keys()].filter((name) => name.startsWith(prefix));
  }

  remove(name: string): void {
    this.#files.delete(name);
  }

  /** The power fails: of what no barrier has followed, chance decides sector by sector. */
  cutPower(): void {
    for (const file of this.#files.values()) {
      for (const write of file.cached.splice(0)) {
        if (this.#chance.happens(0.5)) file.onPlatter.put(write);
      }
    }
    this.fault = null;
  }

  #cache(name: string, at: number, bytes: Uint8Array): void {
    const { cached } = this.#file(name);
    for (let from = 0; from < bytes.length;) {
      const to = from + SECTOR_BYTES - ((at + from) % SECTOR_BYTES);
      cached.push({ at: at + from, bytes: bytes.slice(from, to) });
      from = to;
    }
  }

  #file(name: string): DiskFile {
    const file = this.#files.get(name) ?? new DiskFile();
    this.#files.set(name, file);
    return file;
  }

  #takeFault(able: readonly DiskFault[]): DiskFault | null {
    const { fault } = this;
    if (fault === null || !able.includes(fault)) return null;
    this.fault = null;
    return fault;
  }
}
