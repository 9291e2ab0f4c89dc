import { LogError } from '../log.ts';
import { HEADS } from '../log-files.ts';
import { OwnLeases } from '../own-leases.ts';
import type { StoreTime } from '../store-time.ts';
import { Watch } from '../watch.ts';
import { closeKeepingWal, type Connection } from './connection.ts';
import { failureOf, unavailable, damaged, lost } from './failure.ts';
import { HeadCheck } from './head-check.ts';
import { type HeadNotes, Heads, NO_NOTES } from './heads.ts';
import { Poll } from './poll.ts';
import { Tables } from './tables.ts';
import { Writer } from './writer.ts';
import { type Stats, statSync } from 'node:fs';

/** The file that a connection has opened: SQLite goes on writing into it after its path has lost it. */
class OpenedFile {
  readonly #path: string;
  readonly #opened: Stats | undefined;
  /** A database in write-ahead mode grows, and is never cut. */
  #bytes: number;

  constructor(path: string) {
    this.#path = path;
    this.#opened = statSync(path, { throwIfNoEntry: false });
    this.#bytes = this.#opened?.size ?? 0;
  }

  /**
   * Throws `lost` where the path has no file or another one, and `damaged` where the file was cut. It takes two
   * microseconds: every commit asks.
   */
  assertThere(): void {
    const found = this.#found();
    if (found?.ino === this.#opened?.ino && found?.dev === this.#opened?.dev) return this.#assertNotCut(found);
    const what = found ? 'the file was replaced by another' : 'the file was removed';
    throw lost(this.#path, `${what} while it was open, and what was recorded in it is lost`);
  }

  #assertNotCut(found: Stats | undefined): void {
    const bytes = found?.size ?? 0;
    if (bytes < this.#bytes) {
      throw damaged(this.#path, `it was cut to ${bytes} bytes while it was open, and had ${this.#bytes}`);
    }
    this.#bytes = bytes;
  }

  #found(): Stats | undefined {
    try {
      return statSync(this.#path, { throwIfNoEntry: false });
    } catch (cause) {
      const { code } = cause as NodeJS.ErrnoException;
      const remedy = 'Make the file and its folder readable and writable, then resume.';
      throw unavailable(this.#path, `the file can no longer be reached (${code})`, remedy, cause);
    }
  }
}

/** The surroundings of a database, which find out that it was replaced, cut or set back. */
export interface Surroundings {
  readonly heads: HeadNotes;
  /** Throws where the file is no longer the one that was opened. Asked before each commit. */
  readonly assertThere: () => void;
}

/** The surroundings of a database in a file: notes of its heads lie beside it. */
export function besideFile(path: string): Surroundings {
  const file = new OpenedFile(path);
  return { heads: new Heads(path + HEADS), assertThere: () => file.assertThere() };
}

/** The surroundings of a database in memory: no other process can reach it. */
export const IN_MEMORY: Surroundings = { heads: NO_NOTES, assertThere: () => {} };

/** An open SQLite database, as the parts of the log share it: its tables, its transactions, and its failures. */
export class OpenStore {
  readonly store: string;
  readonly now: () => number;
  readonly own: OwnLeases;
  readonly watch = new Watch();
  readonly tables: Tables;
  readonly heads: HeadNotes;
  readonly headCheck: HeadCheck;
  readonly poll: Poll;
  readonly #connection: Connection;
  readonly #writer: Writer;
  #isClosed = false;
  /** Found damaged or diverged: the files are evidence, and stay as they are when the log is closed. */
  #isSuspect = false;

  constructor(path: string, connection: Connection, { now, monotonic }: StoreTime, around: Surroundings) {
    const { db } = connection;
    this.store = path;
    this.now = now;
    this.own = new OwnLeases(monotonic);
    this.#connection = connection;
    this.tables = new Tables(db);
    this.heads = around.heads;
    this.headCheck = new HeadCheck(path, this.tables.runs, this.heads);
    this.#writer = new Writer(db, {
      before: around.assertThere,
      rolledBack: () => this.tables.rolledBack(),
      failureOf: (error) => this.#failureOf(error),
    });
    this.poll = new Poll(db, () => this.watch.changed());
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  readonly blobText = (sha: string): string | null => this.tables.events.blobText(sha);

  /** Reads at once, outside of any transaction of the writer. */
  reading<T>(ask: () => T): T {
    this.assertOpen();
    try {
      return ask();
    } catch (error) {
      throw this.#failureOf(error);
    }
  }

  /** Does work inside the next transaction; see `Writer.write`. */
  write<T>(work: () => T, committed?: (result: T) => void): Promise<T> {
    return this.#writer.write(work, committed);
  }

  assertOpen(): void {
    if (this.#isClosed) throw unavailable(this.store, 'the log was closed', 'Open it again.');
  }

  close(): void {
    if (this.#isClosed) return;
    this.#writer.flush();
    this.#isClosed = true;
    this.watch.changed();
    this.heads.close();
    if (this.#isSuspect) closeKeepingWal(this.#connection, this.store);
    else this.#connection.close();
  }

  #failureOf(error: unknown): unknown {
    const failure = failureOf(this.store, error);
    this.#isSuspect ||= failure instanceof LogError && !['unavailable', 'lost'].includes(failure.kind);
    return failure;
  }
}
