import { LogError } from '../../../src/log/log.ts';
import type { Head } from '../../../src/log/chain.ts';
import { OpenStore } from '../memory/open-store.ts';
import { storeTime } from '../../../src/log/store-time.ts';
import { never } from '../../support/stand-ins.ts';
import type { Chance } from './chance.ts';
import { JOURNAL_START, recordBytes, recordsIn } from './journal.ts';
import { DiskError, type SimulatedDisk } from './simulated-disk.ts';
import { SimulatedHeads } from './simulated-heads.ts';
import type { SimulatedProcess } from './simulated-process.ts';
import { replayRecord, type StoreRecord } from './store-record.ts';

export const STORE = 'simulated:';
const JOURNAL = 'journal';

/** What a transaction does with the tables: its answer, and the record to commit. Null: it has changed nothing. */
export interface Transaction<Result> {
  readonly result: Result;
  readonly record: StoreRecord | null;
}

/** The moments of a commit. A planted bug changes their order. */
export type CommitMoment = 'write' | 'sync' | 'head';
export const COMMIT_ORDER: readonly CommitMoment[] = ['write', 'sync', 'head'];

export interface StoreWorld {
  readonly disk: SimulatedDisk;
  readonly chance: Chance;
  readonly wallClock: () => number;
  readonly commitOrder: (record: StoreRecord) => readonly CommitMoment[];
  /** Whether a transaction of this process meets a lock that stays. */
  readonly meetsLock: (process: SimulatedProcess) => boolean;
  readonly committed: (process: SimulatedProcess, record: StoreRecord) => void;
  readonly reopened: () => void;
  /** What was found at the last opening is durable. */
  readonly found: () => void;
}

/**
 * A log on a simulated disk: the tables of the memory engine, and beneath them a journal with one record for each
 * transaction, committed by a barrier. After a crash the tables are made anew from what the disk has.
 */
export class SimulatedStore {
  tables: OpenStore;
  readonly heads: SimulatedHeads;
  readonly #world: StoreWorld;
  #end = JOURNAL_START;
  #at: number | null = null;
  /** Found after the death of a process, and not yet behind a barrier: the next power cut may still take it. */
  #hasUnsynced = false;
  #owner: SimulatedProcess | 'recovery' | null = null;
  readonly #waiting: (() => void)[] = [];

  constructor(world: StoreWorld) {
    this.#world = world;
    this.heads = new SimulatedHeads(world.disk);
    this.tables = this.#emptyTables();
  }

  /** Reads the tables as of the last commit. */
  async read<Result>(process: SimulatedProcess, what: string, reading: () => Result): Promise<Awaited<Result>> {
    await process.wait(`read ${what}`, this.#latency());
    while (this.#owner !== null) await this.#turn(process);
    return await reading();
  }

  /** Does a transaction, and answers once it is durable. */
  async write<Result>(
    process: SimulatedProcess,
    what: string,
    work: () => Promise<Transaction<Result>>,
  ): Promise<Result> {
    await process.wait(`ask to ${what}`, this.#latency());
    if (this.#world.meetsLock(process)) {
      await process.wait(`wait for the lock to ${what}`, 10_000);
      throw unavailable('another process keeps it locked');
    }
    while (this.#owner !== null) await this.#turn(process);
    this.#owner = process;
    try {
      const { result, record } = await work();
      if (record) await this.#commit(process, what, record);
      this.#release();
      await process.wait(`${what} done`, this.#latency());
      return result;
    } catch (error) {
      if (this.#owner === process) await this.#rollBack(false);
      throw error instanceof DiskError ? unavailable(error.message, error) : error;
    }
  }

  /** A process has died, alone. What it was about to commit is there or not. */
  died(process: SimulatedProcess): void {
    if (this.#owner !== process) return;
    this.#hasUnsynced = this.#world.chance.happens(0.5);
    void this.#rollBack(this.#hasUnsynced);
  }

  /** All processes have died, and the disk has lost what no barrier has followed. */
  powerCut(): void {
    this.#hasUnsynced = false;
    void this.#rollBack(true).then(this.#world.found);
  }

  async #commit(process: SimulatedProcess, what: string, record: StoreRecord): Promise<void> {
    const { disk, committed, found, commitOrder } = this.#world;
    const { bytes, next } = recordBytes(this.#end, { ...record, now: this.#world.wallClock() });
    const start = this.#end.at;
    const moments = commitOrder(record);
    for (const moment of moments) {
      if (moment === 'write') disk.write(JOURNAL, start, bytes);
      else if (moment === 'head') this.#noteHead(record);
      else {
        disk.sync(JOURNAL);
        if (this.#hasUnsynced) found();
        this.#hasUnsynced = false;
        this.#end = next;
        committed(process, record);
      }
      await process.wait(`${what}: ${moment}`, this.#latency());
    }
    if (moments.includes('write')) this.#end = next;
  }

  /** A failure is ignored: the commit is already durable. */
  #noteHead(record: StoreRecord): void {
    const head = headAfter(record);
    try {
      if (head) this.heads.write(head.run, head);
    } catch (error) {
      if (!(error instanceof DiskError)) throw error;
    }
  }

  /** Makes the tables anew from the disk. `keeps`: a whole record that no barrier has followed counts. */
  async #rollBack(keeps: boolean): Promise<void> {
    this.#owner = 'recovery';
    const { disk, reopened } = this.#world;
    disk.fault = null;
    if (!keeps) disk.write(JOURNAL, this.#end.at, new Uint8Array(8));
    const { records, end } = recordsIn(disk.read(JOURNAL));
    const tables = this.#emptyTables();
    for (const record of records as readonly (StoreRecord & { now: number })[]) {
      this.#at = record.now;
      await replayRecord(tables, record);
    }
    this.#at = null;
    this.#end = end;
    this.tables = tables;
    reopened();
    this.#release();
  }

  #emptyTables(): OpenStore {
    return new OpenStore(storeTime(() => this.#at ?? this.#world.wallClock()));
  }

  async #turn(process: SimulatedProcess): Promise<void> {
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
    if (!process.isAlive) await never();
  }

  #release(): void {
    this.#owner = null;
    for (const wake of this.#waiting.splice(0)) wake();
  }

  #latency(): number {
    return this.#world.chance.below(3);
  }
}

const unavailable = (detail: string, cause?: unknown) =>
  new LogError('unavailable', STORE, detail, 'Try again when it is done.', cause);

function headAfter(record: StoreRecord): (Head & { readonly run: string }) | null {
  const last = record.kind === 'append' ? record.stored.at(-1) : undefined;
  return last ? { run: last.run, version: last.version, hash: last.hash } : null;
}
