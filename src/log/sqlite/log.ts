import { statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { type Head, type StoredEvent, verifyChain } from '../chain.ts';
import type { Envelope } from '../envelope.ts';
import { LogError } from '../errors.ts';
import { follow } from '../follow.ts';
import { isKnownDead } from '../holder.ts';
import { livingHolder } from '../lease.ts';
import type * as port from '../log.ts';
import { assertRunName } from '../names.ts';
import { assertCommand, prepare } from '../prepared.ts';
import { envelopeOf } from '../recorded.ts';
import { Watch } from '../watch.ts';
import { closeKeepingWal, connect, type ConnectionOptions } from './connection.ts';
import type { Segment } from './events.ts';
import { failureOf, unavailable } from './failure.ts';
import { Heads } from './heads.ts';
import { Poll } from './poll.ts';
import { type Stored, Transactions } from './transactions.ts';
import { Writer } from './writer.ts';

export interface SqliteLogOptions extends ConnectionOptions {
  /** Store time in milliseconds since 1970. */
  readonly now?: () => number;
}

/**
 * A log in one SQLite file, which several processes may use at once.
 *
 * Throws a `LogError`: `foreign` or `damaged` when the file is not a log or no longer one, and it is left byte for byte
 * as it was; `unavailable` when there is none to open, or its folder cannot be used.
 *
 * @example
 * const log = openSqliteLog('.loopfold/log.db');
 */
export function openSqliteLog(path: string, options: SqliteLogOptions = {}): port.Log {
  const db = connect(path, options);
  try {
    return new SqliteLog(path, db, options.now ?? Date.now);
  } catch (error) {
    db.close();
    throw failureOf(path, error);
  }
}

class SqliteLog implements port.Log {
  readonly store: string;
  readonly watch = new Watch();
  readonly #db: DatabaseSync;
  readonly #now: () => number;
  readonly #tables: Transactions;
  readonly #heads: Heads;
  readonly #writer: Writer;
  readonly #poll: Poll;
  /** The file that was opened, whatever lies under its name later. */
  readonly #file: number | undefined;
  #isClosed = false;
  /** Found damaged or diverged: what lies there is evidence, and stays as it is when the log is closed. */
  #isSuspect = false;

  constructor(path: string, db: DatabaseSync, now: () => number) {
    this.store = path;
    this.#db = db;
    this.#now = now;
    this.#tables = new Transactions(db, now);
    this.#heads = new Heads(`${path}.heads`);
    const rolledBack = () => this.#tables.events.forgetTypes();
    this.#writer = new Writer(db, (error) => this.#failureOf(error), rolledBack);
    this.#poll = new Poll(db, () => this.watch.changed());
    this.#file = fileUnder(path);
  }

  async append(request: port.Append): Promise<port.AppendResult> {
    this.#assertOpen();
    const prepared = prepare(request);
    if (prepared.kind !== 'prepared') return prepared;
    const written = await this.#writer.write(
      () => this.#tables.append(request, prepared.events),
      (result) => this.#appended(request.run, result),
    );
    if (written.kind !== 'stored') return written;
    // Not from the database: it may have been closed as soon as the commit was done.
    const blobText = (sha: string) => prepared.events.find(({ blob }) => blob?.sha256 === sha)?.blob?.text ?? null;
    const shelf = { store: this.store, blobText };
    return { kind: 'appended', envelopes: written.events.map((event) => envelopeOf(event, shelf)) };
  }

  async *read(run: string, { from = 1, to = Number.MAX_SAFE_INTEGER }: port.Range = {}): AsyncGenerator<Envelope> {
    const segments = this.#reading(() => this.#checked(run));
    for (const segment of segments) {
      const last = Math.min(to, segment.to);
      for (let next = Math.max(from, segment.from); next <= last; ) {
        const page = this.#reading(() => this.#tables.events.page({ ...segment, to: last }, next));
        for (const event of page) yield this.#envelope(event);
        const end = page.at(-1);
        if (!end) break;
        next = end.version + 1;
      }
    }
  }

  async *follow(run: string, options: { from?: number; signal: AbortSignal }): AsyncGenerator<Envelope> {
    this.#reading(() => this.#checked(run));
    this.#poll.start();
    try {
      yield* follow(this, run, Math.max(1, options.from ?? 1), options.signal);
    } finally {
      this.#poll.stop();
    }
  }

  page(run: string, from: number): readonly Envelope[] {
    if (this.#isClosed) return [];
    return this.#reading(() => {
      const row = this.#tables.runs.find(run);
      const segment = row && this.#tables.runs.segments(row).find(({ to }) => to >= from);
      return segment ? this.#tables.events.page(segment, from).map((event) => envelopeOf(event, this)) : [];
    });
  }

  isOver(run: string): boolean {
    return this.#isClosed || this.#reading(() => (this.#tables.runs.find(run)?.closed ?? null) !== null);
  }

  async fork({ from, at, to }: { from: string; at: number; to: string }): Promise<port.ForkResult> {
    this.#assertOpen();
    assertRunName(to);
    return this.#writer.write(
      () => this.#tables.fork(from, at, to),
      (result) => {
        if (result.kind !== 'forked') return;
        this.#heads.write(to, result.run);
        this.watch.changed(to);
      },
    );
  }

  async run(run: string): Promise<port.RunRecord | null> {
    return this.#reading(() => {
      this.#checked(run);
      const row = this.#tables.runs.find(run);
      return row && this.#tables.runs.record(row);
    });
  }

  async runs(): Promise<readonly port.RunRecord[]> {
    return this.#reading(() => this.#tables.runs.all().map((row) => this.#tables.runs.record(row)));
  }

  async findByParentEffect(effect: string): Promise<port.RunRecord | null> {
    return this.#reading(() => {
      const row = this.#tables.runs.openedBy(effect);
      return row && this.#tables.runs.record(row);
    });
  }

  async acquire(root: string, holder: port.Holder): Promise<port.LeaseResult> {
    this.#assertOpen();
    assertRunName(root);
    return this.#writer.write(() => {
      this.#checked(root);
      for (const { run } of this.#tables.runs.ofTree(root)) this.#checked(run);
      return this.#tables.acquire(root, holder);
    });
  }

  async renew(lease: port.Lease): Promise<port.RenewResult> {
    this.#assertThere();
    return this.#writer.write(() => this.#tables.renew(lease));
  }

  async release(lease: port.Lease): Promise<port.ReleaseResult> {
    this.#assertThere();
    return this.#writer.write(() => this.#tables.release(lease));
  }

  async holder(root: string): Promise<port.Holder | null> {
    return this.#reading(() => livingHolder(this.#tables.leases.find(root), { now: this.#now(), isKnownDead }));
  }

  async post(run: string, command: port.InboxCommand): Promise<port.InboxEntry> {
    this.#assertOpen();
    assertCommand(run, command);
    return this.#writer.write(() => this.#post(run, command));
  }

  async inbox(root: string): Promise<readonly port.InboxEntry[]> {
    return this.#reading(() => this.#tables.inbox.waiting(root));
  }

  async reject(entry: number, reason: string): Promise<void> {
    this.#assertOpen();
    return this.#writer.write(() => this.#tables.inbox.reject(entry, reason));
  }

  async entry(entry: number): Promise<port.InboxEntry | null> {
    return this.#reading(() => this.#tables.inbox.entry(entry));
  }

  async saveSnapshot(snapshot: port.StoredSnapshot): Promise<void> {
    this.#assertOpen();
    return this.#writer.write(() => this.#tables.snapshots.save(snapshot));
  }

  async latestSnapshot(run: string, atMost = Number.MAX_SAFE_INTEGER): Promise<port.StoredSnapshot | null> {
    return this.#reading(() => {
      for (const segment of this.#checked(run).toReversed()) {
        const snapshot = this.#tables.snapshots.latest(segment, atMost);
        if (snapshot) return snapshot;
      }
      return null;
    });
  }

  async verify(run: string): Promise<port.VerifyResult> {
    return this.#reading(() => verifyChain(this.#stored(this.#agreeing(run, this.#heads.read(run))), this.blobText));
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#writer.flush();
    this.#isClosed = true;
    this.watch.changed();
    this.#heads.close();
    if (this.#isSuspect) closeKeepingWal(this.#db, this.store);
    else this.#db.close();
  }

  readonly blobText = (sha: string): string | null => this.#tables.events.blobText(sha);

  #appended(run: string, result: Stored): void {
    const last = result.kind === 'stored' ? result.events.at(-1) : undefined;
    if (!last) return;
    this.#heads.write(run, last);
    this.watch.changed(run);
  }

  #post(run: string, command: port.InboxCommand): port.InboxEntry {
    const root = this.#tables.runs.find(run)?.root ?? run;
    return this.#tables.inbox.post(root, run, command, this.#now());
  }

  /** Whose events a run is made of, once it is sure that the database has all that was ever committed to it. */
  #checked(run: string): readonly Segment[] {
    return this.#agreeing(run, this.#heads.isOwn(run) ? null : this.#heads.read(run));
  }

  /** The head is read before the database: it is written after the commit, so the database may only be ahead. */
  #agreeing(run: string, noted: Head | null): readonly Segment[] {
    const row = this.#tables.runs.find(run);
    if (noted && (row ? this.#tables.runs.hashAt(row, noted.version) : null) !== noted.hash) {
      const version = row ? this.#tables.runs.head(row).version : 0;
      const detail = `run ${run} had another history up to version ${noted.version}; here it ends at ${version}`;
      const remedy = `Restore the log from a copy, or accept the loss by deleting ${this.#heads.pathOf(run)}.`;
      throw new LogError('diverged', this.store, detail, remedy);
    }
    return row ? this.#tables.runs.segments(row) : [];
  }

  *#stored(segments: readonly Segment[]): Generator<StoredEvent> {
    for (const segment of segments) {
      let page = this.#tables.events.page(segment, segment.from);
      for (; page.length > 0; page = this.#tables.events.page(segment, (page.at(-1)?.version ?? 0) + 1)) yield* page;
    }
  }

  #envelope(event: StoredEvent): Envelope {
    return this.#reading(() => envelopeOf(event, this));
  }

  #reading<T>(ask: () => T): T {
    this.#assertOpen();
    try {
      return ask();
    } catch (error) {
      throw this.#failureOf(error);
    }
  }

  #failureOf(error: unknown): unknown {
    const failure = failureOf(this.store, error);
    this.#isSuspect ||= failure instanceof LogError && failure.kind !== 'unavailable';
    return failure;
  }

  /** SQLite goes on writing into a file that was removed: what is recorded there is gone with this process. */
  #assertThere(): void {
    this.#assertOpen();
    if (fileUnder(this.store) === this.#file) return;
    const detail = 'the file was removed or replaced while it was open, and what was recorded since is lost';
    throw unavailable(this.store, detail, 'Keep .loopfold out of what cleans up, and start again.');
  }

  #assertOpen(): void {
    if (this.#isClosed) throw unavailable(this.store, 'the log was closed', 'Open it again.');
  }
}

const fileUnder = (path: string): number | undefined => statSync(path, { throwIfNoEntry: false })?.ino;
