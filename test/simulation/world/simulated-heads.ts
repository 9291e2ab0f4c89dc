import { LogError } from '../../../src/log/log.ts';
import type { Head } from '../../../src/log/chain.ts';
import type { OpenStore } from '../memory/open-store.ts';
import type { SimulatedDisk } from './simulated-disk.ts';

const FOLDER = 'heads/';
const LINE = /^(\S+) (\d{12}) ([0-9a-f]{64})\n$/;

/** The newest version of each run beside the journal, kept as the SQLite engine does: in place, without a barrier. */
export class SimulatedHeads {
  readonly #disk: SimulatedDisk;

  constructor(disk: SimulatedDisk) {
    this.#disk = disk;
  }

  write(run: string, { version, hash }: Head): void {
    const line = Buffer.from(`${run} ${String(version).padStart(12, '0')} ${hash}\n`);
    try {
      this.#disk.write(FOLDER + run, 0, line);
    } catch (error) {
      this.#disk.remove(FOLDER + run);
      throw error;
    }
  }

  /** Throws where a run is not what its note says. A note that cannot be read is ignored. */
  assertAgree(tables: OpenStore, store: string): void {
    for (const name of this.#disk.names(FOLDER)) {
      const [, run = '', digits, hash] = LINE.exec(Buffer.from(this.#disk.read(name)).toString()) ?? [];
      if (hash === undefined || tables.runs.find(run)?.at(Number(digits))?.hash === hash) continue;
      const here = tables.runs.find(run)?.head.version ?? 0;
      const detail = `run ${run} had another history up to version ${Number(digits)}; here it ends at ${here}`;
      throw new LogError('diverged', store, detail, 'Restore the log from a copy.');
    }
  }
}
