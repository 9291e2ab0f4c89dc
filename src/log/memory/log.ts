import { refusal } from '../admission.ts';
import { chain, type StoredEvent, verifyChain } from '../chain.ts';
import type { Envelope } from '../envelope.ts';
import { LogError } from '../errors.ts';
import { follow } from '../follow.ts';
import { isKnownDead } from '../holder.ts';
import { claim, type Clock, isCurrent, type LeaseRow, livingHolder, lost, renewed } from '../lease.ts';
import type * as port from '../log.ts';
import { assertRunName, runOfEffect } from '../names.ts';
import { assertCommand, prepare, type Prepared } from '../prepared.ts';
import { envelopeOf } from '../recorded.ts';
import { Watch } from '../watch.ts';
import { MemoryInbox } from './inbox.ts';
import { MemoryRun } from './run.ts';
import { MemorySnapshots } from './snapshots.ts';

export interface MemoryLogOptions {
  /** Store time in milliseconds since 1970. */
  readonly now?: () => number;
}

/**
 * A log that lives and dies with this process: for tests, and for runs nobody wants to keep.
 *
 * @example
 * const log = memoryLog();
 */
export function memoryLog(options: MemoryLogOptions = {}): port.Log {
  return new MemoryLog(options.now ?? Date.now);
}

class MemoryLog implements port.Log {
  readonly watch = new Watch();
  readonly store = 'memory:';
  readonly #runs = new Map<string, MemoryRun>();
  readonly #openedBy = new Map<string, MemoryRun>();
  readonly #leases = new Map<string, LeaseRow>();
  readonly #blobs = new Map<string, string>();
  readonly #inbox = new MemoryInbox();
  readonly #snapshots = new MemorySnapshots();
  readonly #now: () => number;
  #position = 0;
  #isClosed = false;

  constructor(now: () => number) {
    this.#now = now;
  }

  async append(request: port.Append): Promise<port.AppendResult> {
    this.#assertOpen();
    const prepared = prepare(request);
    if (prepared.kind !== 'prepared') return prepared;
    const known = this.#runs.get(request.run);
    const root = known?.root ?? this.#rootOfNew(request);
    const refused = refusal(request, {
      lease: this.#leases.get(root) ?? null,
      version: known?.head.version ?? 0,
      closed: known?.closed ?? null,
      openedByEffect: this.#openedBy.get(request.parentEffect ?? '')?.run ?? null,
    });
    if (refused) return refused;
    const run = known ?? this.#open(request, root);
    const stored = this.#store(run, request.epoch, prepared.events);
    run.closed = request.closes ?? null;
    const version = stored[0]?.version ?? 0;
    for (const id of request.delivers ?? []) this.#inbox.settle(id, { kind: 'delivered', version }, root);
    this.watch.changed(request.run);
    return { kind: 'appended', envelopes: stored.map((event) => envelopeOf(event, this)) };
  }

  async *read(run: string, { from = 1, to = Infinity }: port.Range = {}): AsyncGenerator<Envelope> {
    this.#assertOpen();
    for (let version = Math.max(1, from); version <= to; version += 1) {
      const event = this.#runs.get(run)?.at(version);
      if (!event) return;
      yield envelopeOf(event, this);
    }
  }

  async *follow(run: string, options: { from?: number; signal: AbortSignal }): AsyncGenerator<Envelope> {
    this.#assertOpen();
    yield* follow(this, run, Math.max(1, options.from ?? 1), options.signal);
  }

  page(run: string, from: number): readonly Envelope[] {
    const event = this.#runs.get(run)?.at(from);
    return event ? [envelopeOf(event, this)] : [];
  }

  isOver(run: string): boolean {
    return this.#isClosed || (this.#runs.get(run)?.closed ?? null) !== null;
  }

  async fork({ from, at, to }: { from: string; at: number; to: string }): Promise<port.ForkResult> {
    this.#assertOpen();
    assertRunName(to);
    const of = this.#runs.get(from);
    if (!of) return { kind: 'unknown_run' };
    if (this.#runs.has(to)) return { kind: 'exists' };
    if (!of.at(at)) return { kind: 'no_such_version', head: of.head.version };
    const createdAt = this.#at();
    const run = new MemoryRun({ run: to, root: to, parentEffect: null, createdAt, prefix: { of, version: at } });
    this.#runs.set(to, run);
    this.watch.changed(to);
    return { kind: 'forked', run: run.record() };
  }

  async run(run: string): Promise<port.RunRecord | null> {
    this.#assertOpen();
    return this.#runs.get(run)?.record() ?? null;
  }

  async runs(): Promise<readonly port.RunRecord[]> {
    this.#assertOpen();
    return [...this.#runs.values()].map((run) => run.record());
  }

  async findByParentEffect(effect: string): Promise<port.RunRecord | null> {
    this.#assertOpen();
    return this.#openedBy.get(effect)?.record() ?? null;
  }

  async acquire(root: string, holder: port.Holder): Promise<port.LeaseResult> {
    this.#assertOpen();
    assertRunName(root);
    const claimed = claim(this.#leases.get(root) ?? null, holder, this.#clock());
    if (claimed.kind === 'held') return claimed;
    this.#leases.set(root, claimed.row);
    return { kind: 'leased', lease: { root, epoch: claimed.row.epoch, holder } };
  }

  async renew({ root, epoch }: port.Lease): Promise<port.RenewResult> {
    this.#assertOpen();
    const row = this.#leases.get(root) ?? null;
    if (!isCurrent(row, epoch)) return lost(row);
    this.#leases.set(root, renewed(row, this.#now()));
    return { kind: 'renewed' };
  }

  async release({ root, epoch }: port.Lease): Promise<port.ReleaseResult> {
    this.#assertOpen();
    const row = this.#leases.get(root) ?? null;
    if (!isCurrent(row, epoch)) return lost(row);
    const entries = this.#inbox.waiting(root).length;
    if (entries > 0) return { kind: 'inbox_waiting', entries };
    this.#leases.set(root, { ...row, holder: null });
    return { kind: 'released' };
  }

  async holder(root: string): Promise<port.Holder | null> {
    this.#assertOpen();
    return livingHolder(this.#leases.get(root) ?? null, this.#clock());
  }

  async post(run: string, command: port.InboxCommand): Promise<port.InboxEntry> {
    this.#assertOpen();
    assertCommand(run, command);
    return this.#inbox.post(this.#runs.get(run)?.root ?? run, run, command, this.#at());
  }

  async inbox(root: string): Promise<readonly port.InboxEntry[]> {
    this.#assertOpen();
    return this.#inbox.waiting(root);
  }

  async reject(entry: number, reason: string): Promise<void> {
    this.#assertOpen();
    this.#inbox.settle(entry, { kind: 'rejected', reason });
  }

  async entry(entry: number): Promise<port.InboxEntry | null> {
    this.#assertOpen();
    return this.#inbox.entry(entry);
  }

  async saveSnapshot(snapshot: port.StoredSnapshot): Promise<void> {
    this.#assertOpen();
    this.#snapshots.save(snapshot);
  }

  async latestSnapshot(run: string, atMost = Infinity): Promise<port.StoredSnapshot | null> {
    this.#assertOpen();
    for (let owner = this.#runs.get(run), to = atMost; owner; owner = owner.prefix?.of) {
      const here = owner;
      const found = this.#snapshots.latest(here.run, here.shared + 1, to, (version) => here.at(version)?.hash ?? null);
      if (found) return found;
      to = Math.min(to, here.shared);
    }
    return null;
  }

  async verify(run: string): Promise<port.VerifyResult> {
    this.#assertOpen();
    return verifyChain(this.#stored(run), this.blobText);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.watch.changed();
  }

  readonly blobText = (sha: string): string | null => this.#blobs.get(sha) ?? null;

  *#stored(run: string): Generator<StoredEvent> {
    const known = this.#runs.get(run);
    for (let version = 1; known && version <= known.head.version; version += 1) {
      const event = known.at(version);
      if (event) yield event;
    }
  }

  #store(run: MemoryRun, epoch: number, events: readonly Prepared[]): readonly StoredEvent[] {
    for (const { blob } of events) if (blob) this.#blobs.set(blob.sha256, blob.text);
    const chained = chain(run.head, run.run, epoch, events);
    const stored = chained.map((event) => ({ ...event, position: (this.#position += 1) }));
    run.own.push(...stored);
    return stored;
  }

  #open({ run, events, parentEffect }: port.Append, root: string): MemoryRun {
    const opened = new MemoryRun({
      run,
      root,
      parentEffect: parentEffect ?? null,
      createdAt: events[0]?.at ?? this.#at(),
      prefix: null,
    });
    this.#runs.set(run, opened);
    if (parentEffect !== undefined) this.#openedBy.set(parentEffect, opened);
    return opened;
  }

  #rootOfNew({ run, parentEffect }: port.Append): string {
    if (parentEffect === undefined) return run;
    const parent = this.#runs.get(runOfEffect(parentEffect));
    if (!parent) throw new TypeError(`append to ${run}: the log does not know the run of ${parentEffect}`);
    return parent.root;
  }

  #clock(): Clock {
    return { now: this.#now(), isKnownDead };
  }

  #at(): string {
    return new Date(this.#now()).toISOString();
  }

  #assertOpen(): void {
    if (this.#isClosed) throw new LogError('unavailable', this.store, 'the log was closed', 'Open it again.');
  }
}
