import type { DatabaseSync } from 'node:sqlite';
import { refusal } from '../admission.ts';
import { chain, type Head, START, type StoredEvent, verifyChain } from '../chain.ts';
import type { Envelope } from '../envelope.ts';
import { LogError } from '../errors.ts';
import { follow } from '../follow.ts';
import { isKnownDead } from '../holder.ts';
import { claim, type Clock, isCurrent, livingHolder, lost, renewed } from '../lease.ts';
import type * as port from '../log.ts';
import { assertRunName, runOfEffect } from '../names.ts';
import { assertCommand, prepare, type Prepared } from '../prepared.ts';
import { envelopeOf } from '../recorded.ts';
import { Watch } from '../watch.ts';
import { closeKeepingWal, connect, type ConnectionOptions } from './connection.ts';
import { Events, type Segment } from './events.ts';
import { failureOf, unavailable } from './failure.ts';
import { Heads } from './heads.ts';
import { Inbox } from './inbox.ts';
import { Leases } from './leases.ts';
import { Poll } from './poll.ts';
import { type RunRow, Runs } from './runs.ts';
import { Snapshots } from './snapshots.ts';
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

type Appended = { readonly kind: 'stored'; readonly events: readonly StoredEvent[] } | port.AppendResult;

class SqliteLog implements port.Log {
  readonly store: string;
  readonly watch = new Watch();
  readonly #db: DatabaseSync;
  readonly #now: () => number;
  readonly #events: Events;
  readonly #runs: Runs;
  readonly #leases: Leases;
  readonly #inbox: Inbox;
  readonly #snapshots: Snapshots;
  readonly #heads: Heads;
  readonly #writer: Writer;
  readonly #poll: Poll;
  #isClosed = false;
  /** Found damaged or diverged: what lies there is evidence, and stays as it is when the log is closed. */
  #isSuspect = false;

  constructor(path: string, db: DatabaseSync, now: () => number) {
    this.store = path;
    this.#db = db;
    this.#now = now;
    this.#events = new Events(db);
    this.#runs = new Runs(db, this.#events);
    this.#leases = new Leases(db);
    this.#inbox = new Inbox(db);
    this.#snapshots = new Snapshots(db);
    this.#heads = new Heads(`${path}.heads`);
    this.#writer = new Writer(db, (error) => this.#failureOf(error));
    this.#poll = new Poll(db, () => this.watch.changed());
  }

  async append(request: port.Append): Promise<port.AppendResult> {
    this.#assertOpen();
    const prepared = prepare(request);
    if (prepared.kind !== 'prepared') return prepared;
    const written = await this.#writer.write(
      () => this.#append(request, prepared.events),
      (result) => this.#appended(request.run, result),
    );
    if (written.kind !== 'stored') return written;
    return { kind: 'appended', envelopes: written.events.map((event) => envelopeOf(event, this)) };
  }

  async *read(run: string, { from = 1, to = Number.MAX_SAFE_INTEGER }: port.Range = {}): AsyncGenerator<Envelope> {
    const segments = this.#reading(() => this.#checked(run));
    for (const segment of segments) {
      const last = Math.min(to, segment.to);
      for (let next = Math.max(from, segment.from); next <= last; ) {
        const page = this.#reading(() => this.#events.page({ ...segment, to: last }, next));
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
      const row = this.#runs.find(run);
      const segment = row && this.#runs.segments(row).find(({ to }) => to >= from);
      return segment ? this.#events.page(segment, from).map((event) => envelopeOf(event, this)) : [];
    });
  }

  isOver(run: string): boolean {
    return this.#isClosed || this.#reading(() => (this.#runs.find(run)?.closed ?? null) !== null);
  }

  async fork({ from, at, to }: { from: string; at: number; to: string }): Promise<port.ForkResult> {
    this.#assertOpen();
    assertRunName(to);
    return this.#writer.write(
      () => this.#fork(from, at, to),
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
      const row = this.#runs.find(run);
      return row && this.#runs.record(row);
    });
  }

  async runs(): Promise<readonly port.RunRecord[]> {
    return this.#reading(() => this.#runs.all().map((row) => this.#runs.record(row)));
  }

  async findByParentEffect(effect: string): Promise<port.RunRecord | null> {
    return this.#reading(() => {
      const row = this.#runs.openedBy(effect);
      return row && this.#runs.record(row);
    });
  }

  async acquire(root: string, holder: port.Holder): Promise<port.LeaseResult> {
    this.#assertOpen();
    assertRunName(root);
    return this.#writer.write((): port.LeaseResult => {
      this.#checked(root);
      for (const { run } of this.#runs.ofTree(root)) this.#checked(run);
      const claimed = claim(this.#leases.find(root), holder, this.#clock());
      if (claimed.kind === 'held') return claimed;
      this.#leases.save(root, claimed.row);
      return { kind: 'leased', lease: { root, epoch: claimed.row.epoch, holder } };
    });
  }

  async renew({ root, epoch }: port.Lease): Promise<port.RenewResult> {
    this.#assertOpen();
    return this.#writer.write((): port.RenewResult => {
      const row = this.#leases.find(root);
      if (!isCurrent(row, epoch)) return lost(row);
      this.#leases.save(root, renewed(row, this.#now()));
      return { kind: 'renewed' };
    });
  }

  async release({ root, epoch }: port.Lease): Promise<port.ReleaseResult> {
    this.#assertOpen();
    return this.#writer.write((): port.ReleaseResult => {
      const row = this.#leases.find(root);
      if (!isCurrent(row, epoch)) return lost(row);
      const entries = this.#inbox.countWaiting(root);
      if (entries > 0) return { kind: 'inbox_waiting', entries };
      this.#leases.save(root, { ...row, holder: null });
      return { kind: 'released' };
    });
  }

  async holder(root: string): Promise<port.Holder | null> {
    return this.#reading(() => livingHolder(this.#leases.find(root), this.#clock()));
  }

  async post(run: string, command: port.InboxCommand): Promise<port.InboxEntry> {
    this.#assertOpen();
    assertCommand(run, command);
    return this.#writer.write(() => this.#inbox.post(this.#runs.find(run)?.root ?? run, run, command, this.#now()));
  }

  async inbox(root: string): Promise<readonly port.InboxEntry[]> {
    return this.#reading(() => this.#inbox.waiting(root));
  }

  async reject(entry: number, reason: string): Promise<void> {
    this.#assertOpen();
    return this.#writer.write(() => this.#inbox.reject(entry, reason));
  }

  async entry(entry: number): Promise<port.InboxEntry | null> {
    return this.#reading(() => this.#inbox.entry(entry));
  }

  async saveSnapshot(snapshot: port.StoredSnapshot): Promise<void> {
    this.#assertOpen();
    return this.#writer.write(() => this.#snapshots.save(snapshot));
  }

  async latestSnapshot(run: string, atMost = Number.MAX_SAFE_INTEGER): Promise<port.StoredSnapshot | null> {
    return this.#reading(() => {
      for (const segment of this.#checked(run).toReversed()) {
        const snapshot = this.#snapshots.latest(segment, atMost);
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

  readonly blobText = (sha: string): string | null => this.#events.blobText(sha);

  #append(request: port.Append, events: readonly Prepared[]): Appended {
    const known = this.#runs.find(request.run);
    const root = known?.root ?? this.#rootOfNew(request);
    const head = known && this.#runs.head(known);
    const opened = request.parentEffect === undefined ? null : this.#runs.openedBy(request.parentEffect);
    const refused = refusal(request, {
      lease: this.#leases.find(root),
      version: head?.version ?? 0,
      closed: known?.closed ?? null,
      openedByEffect: opened?.run ?? null,
    });
    if (refused) return refused;
    const { key } = known ?? this.#open(request, root);
    for (const { blob } of events) if (blob) this.#events.insertBlob(blob);
    const stored = chain(head ?? START, request.run, request.epoch, events).map((event) => this.#events.insert(key, event));
    if (request.closes !== undefined) this.#runs.close(key, request.closes);
    for (const id of request.delivers ?? []) this.#inbox.deliver(id, request.expectedVersion + 1, root);
    return { kind: 'stored', events: stored };
  }

  #appended(run: string, result: Appended): void {
    const last = result.kind === 'stored' ? result.events.at(-1) : undefined;
    if (!last) return;
    this.#heads.write(run, last);
    this.watch.changed(run);
  }

  #open({ run, events, parentEffect }: port.Append, root: string): RunRow {
    const created_at = Date.parse(events[0]?.at ?? '');
    const parent_effect = parentEffect ?? null;
    return this.#runs.insert({ run, root, parent_effect, prefix: null, prefix_version: 0, created_at });
  }

  #rootOfNew({ run, parentEffect }: port.Append): string {
    if (parentEffect === undefined) return run;
    const parent = this.#runs.find(runOfEffect(parentEffect));
    if (!parent) throw new TypeError(`append to ${run}: the log does not know the run of ${parentEffect}`);
    return parent.root;
  }

  #fork(from: string, at: number, to: string): port.ForkResult {
    const of = this.#runs.find(from);
    if (!of) return { kind: 'unknown_run' };
    if (this.#runs.find(to)) return { kind: 'exists' };
    if (this.#runs.hashAt(of, at) === null) return { kind: 'no_such_version', head: this.#runs.head(of).version };
    const prefix = { prefix: of.key, prefix_version: at };
    const row = this.#runs.insert({ run: to, root: to, parent_effect: null, ...prefix, created_at: this.#now() });
    return { kind: 'forked', run: this.#runs.record(row) };
  }

  /** Whose events a run is made of, once it is sure that the database has all that was ever committed to it. */
  #checked(run: string): readonly Segment[] {
    return this.#agreeing(run, this.#heads.isOwn(run) ? null : this.#heads.read(run));
  }

  /** The head is read before the database: it is written after the commit, so the database may only be ahead. */
  #agreeing(run: string, noted: Head | null): readonly Segment[] {
    const row = this.#runs.find(run);
    if (noted && (row ? this.#runs.hashAt(row, noted.version) : null) !== noted.hash) {
      const version = row ? this.#runs.head(row).version : 0;
      const detail = `run ${run} was at version ${noted.version} with another history than what is here, up to ${version}`;
      const remedy = `Restore the log from a copy, or accept the loss by deleting ${this.#heads.pathOf(run)}.`;
      throw new LogError('diverged', this.store, detail, remedy);
    }
    return row ? this.#runs.segments(row) : [];
  }

  *#stored(segments: readonly Segment[]): Generator<StoredEvent> {
    for (const segment of segments) {
      let page = this.#events.page(segment, segment.from);
      for (; page.length > 0; page = this.#events.page(segment, (page.at(-1)?.version ?? 0) + 1)) yield* page;
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

  #clock(): Clock {
    return { now: this.#now(), isKnownDead };
  }

  #assertOpen(): void {
    if (this.#isClosed) throw unavailable(this.store, 'the log was closed', 'Open it again.');
  }
}
