import type { DatabaseSync } from 'node:sqlite';
import { refusal } from '../admission.ts';
import { chain, START, type StoredEvent } from '../chain.ts';
import { isKnownDead } from '../holder.ts';
import { claim, isCurrent, lost, renewed } from '../lease.ts';
import type * as port from '../log.ts';
import { runOfEffect } from '../names.ts';
import type { Prepared } from '../prepared.ts';
import { Events } from './events.ts';
import { Inbox } from './inbox.ts';
import { Leases } from './leases.ts';
import { type RunRow, Runs } from './runs.ts';
import { Snapshots } from './snapshots.ts';

export type Stored = { readonly kind: 'stored'; readonly events: readonly StoredEvent[] } | port.AppendResult;

/** What is decided and written in one piece. Each asks before it writes, so that a refusal has written nothing. */
export class Transactions {
  readonly events: Events;
  readonly runs: Runs;
  readonly leases: Leases;
  readonly inbox: Inbox;
  readonly snapshots: Snapshots;
  readonly #now: () => number;

  constructor(db: DatabaseSync, now: () => number) {
    this.events = new Events(db);
    this.runs = new Runs(db, this.events);
    this.leases = new Leases(db);
    this.inbox = new Inbox(db);
    this.snapshots = new Snapshots(db);
    this.#now = now;
  }

  append(request: port.Append, events: readonly Prepared[]): Stored {
    const known = this.runs.find(request.run);
    const root = known?.root ?? this.#rootOfNew(request);
    const head = known && this.runs.head(known);
    const opened = request.parentEffect === undefined ? null : this.runs.openedBy(request.parentEffect);
    const refused = refusal(request, {
      lease: this.leases.find(root),
      version: head?.version ?? 0,
      closed: known?.closed ?? null,
      openedByEffect: opened?.run ?? null,
    });
    if (refused) return refused;
    const { key } = known ?? this.#open(request, root);
    for (const { blob } of events) if (blob) this.events.insertBlob(blob);
    const chained = chain(head ?? START, request.run, request.epoch, events);
    const stored = chained.map((event) => this.events.insert(key, event));
    if (request.closes !== undefined) this.runs.close(key, request.closes);
    for (const id of request.delivers ?? []) this.inbox.deliver(id, request.expectedVersion + 1, root);
    return { kind: 'stored', events: stored };
  }

  fork(from: string, at: number, to: string): port.ForkResult {
    const of = this.runs.find(from);
    if (!of) return { kind: 'unknown_run' };
    if (this.runs.find(to)) return { kind: 'exists' };
    if (this.runs.hashAt(of, at) === null) return { kind: 'no_such_version', head: this.runs.head(of).version };
    const prefix = { prefix: of.key, prefix_version: at };
    const row = this.runs.insert({ run: to, root: to, parent_effect: null, ...prefix, created_at: this.#now() });
    return { kind: 'forked', run: this.runs.record(row) };
  }

  acquire(root: string, holder: port.Holder): port.LeaseResult {
    const claimed = claim(this.leases.find(root), holder, { now: this.#now(), isKnownDead });
    if (claimed.kind === 'held') return claimed;
    this.leases.save(root, claimed.row);
    return { kind: 'leased', lease: { root, epoch: claimed.row.epoch, holder } };
  }

  renew({ root, epoch }: port.Lease): port.RenewResult {
    const row = this.leases.find(root);
    if (!isCurrent(row, epoch)) return lost(row);
    this.leases.save(root, renewed(row, this.#now()));
    return { kind: 'renewed' };
  }

  release({ root, epoch }: port.Lease): port.ReleaseResult {
    const row = this.leases.find(root);
    if (!isCurrent(row, epoch)) return lost(row);
    const entries = this.inbox.countWaiting(root);
    if (entries > 0) return { kind: 'inbox_waiting', entries };
    this.leases.save(root, { ...row, holder: null });
    return { kind: 'released' };
  }

  #open({ run, events, parentEffect }: port.Append, root: string): RunRow {
    const created_at = Date.parse(events[0]?.at ?? '');
    const parent_effect = parentEffect ?? null;
    return this.runs.insert({ run, root, parent_effect, prefix: null, prefix_version: 0, created_at });
  }

  #rootOfNew({ run, parentEffect }: port.Append): string {
    if (parentEffect === undefined) return run;
    const parent = this.runs.find(runOfEffect(parentEffect));
    if (!parent) throw new TypeError(`append to ${run}: the log does not know the run of ${parentEffect}`);
    return parent.root;
  }
}
