import type { InboxEntry } from '../../src/log/inbox-store.ts';
import { LEASE_TTL_MS } from '../../src/log/lease-store.ts';
import type { Action } from './engines.property.test.ts';

type Act<Name extends Action['do']> = Extract<Action, { do: Name }>;
interface Run {
  root: string;
  closed: string | null;
  /** `RUN/version` of each event: in a fork's prefix the original run's. */
  events: string[];
}

/** The log in as few lines as it takes, without hashes, positions or storage: what the engines are compared with. */
export class LogModel {
  readonly #now: () => number;
  readonly #runs = new Map<string, Run>();
  readonly #effects = new Map<string, string>();
  readonly #leases = new Map<string, { epoch: number; token: string | null; until: number }>();
  readonly #inbox: { id: number; root: string; status: InboxEntry['status'] }[] = [];

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Turns "one version too few" into a number: an action drawn at random knows nothing of the state. */
  complete(action: Exclude<Action, { do: 'wait' }>) {
    switch (action.do) {
      case 'append': {
        const version = (this.#runs.get(action.run)?.events.length ?? 0) + action.behind;
        const expectedVersion = action.parentEffect === undefined ? Math.max(0, version) : 0;
        const epoch = Math.max(0, this.#epoch(this.#rootFor(action) ?? action.run) + action.epochOffBy);
        return { ...action, expectedVersion, epoch };
      }
      case 'release':
      case 'renew':
        return { ...action, epoch: this.#epoch(action.run) + action.offBy };
      default:
        return action;
    }
  }

  answer(asked: ReturnType<LogModel['complete']>): unknown {
    switch (asked.do) {
      case 'take':
        return this.#take(asked);
      case 'release':
      case 'renew':
        return this.#keep(asked);
      case 'append':
        return this.#append(asked);
      case 'fork':
        return this.#fork(asked);
      case 'post':
        return this.#inbox.push({
          id: this.#inbox.length + 1,
          root: this.#runs.get(asked.run)?.root ?? asked.run,
          status: { kind: 'waiting' },
        });
      case 'reject':
        return this.#settle(asked.entry, { kind: 'rejected', reason: 'no' });
    }
  }

  histories(): Record<string, Run> {
    return Object.fromEntries(this.#runs);
  }

  entries() {
    return this.#inbox;
  }

  #take({ run, token }: Act<'take'>) {
    const lease = this.#leases.get(run) ?? { epoch: 0, token: null, until: 0 };
    const isHeld = lease.token !== null && this.#now() < lease.until;
    if (isHeld && lease.token !== token) return { kind: 'held' };
    const epoch = isHeld ? lease.epoch : lease.epoch + 1;
    this.#leases.set(run, { epoch, token, until: this.#now() + LEASE_TTL_MS });
    return { kind: 'leased', epoch };
  }

  #keep({ do: what, run, epoch }: { do: 'release' | 'renew'; run: string; epoch: number }) {
    const lease = this.#leases.get(run);
    if (!lease || lease.token === null || lease.epoch !== epoch) return { kind: 'lost', epoch: this.#epoch(run) };
    if (what === 'renew') {
      lease.until = this.#now() + LEASE_TTL_MS;
      return { kind: 'renewed' };
    }
    const entries = this.#inbox.filter(({ root, status }) => root === run && status.kind === 'waiting').length;
    if (entries > 0) return { kind: 'inbox_waiting', entries };
    lease.token = null;
    return { kind: 'released' };
  }

  #append(asked: Act<'append'> & { expectedVersion: number; epoch: number }) {
    const { run, length, epoch, expectedVersion, parentEffect, closes, delivers } = asked;
    const root = this.#rootFor(asked);
    if (parentEffect?.startsWith(`${run}/`) || root === null) return { kind: 'bug' };
    const lease = this.#leases.get(root);
    if (!lease || lease.token === null || lease.epoch !== epoch) return { kind: 'fenced', epoch: this.#epoch(root) };
    const opened = this.#effects.get(parentEffect ?? '');
    if (opened !== undefined) return { kind: 'duplicate_child', run: opened };
    const known = this.#runs.get(run) ?? { root, closed: null, events: [] };
    if (known.closed !== null) return { kind: 'closed', ending: known.closed };
    const version = known.events.length;
    if (version !== expectedVersion) return { kind: 'conflict', version };
    for (let index = 1; index <= length; index += 1) known.events.push(`${run}/${version + index}`);
    known.closed = closes ?? null;
    this.#runs.set(run, known);
    if (parentEffect !== undefined) this.#effects.set(parentEffect, run);
    for (const id of delivers) {
      if (this.#inbox[id - 1]?.root === root) this.#settle(id, { kind: 'delivered', version: version + 1 });
    }
    return { kind: 'appended', last: version + length };
  }

  #fork({ from, at, to }: Act<'fork'>) {
    const of = this.#runs.get(from);
    if (!of) return { kind: 'unknown_run' };
    if (this.#runs.has(to)) return { kind: 'exists' };
    if (at < 1 || at > of.events.length) return { kind: 'no_such_version', head: of.events.length };
    this.#runs.set(to, { root: to, closed: null, events: of.events.slice(0, at) });
    return { kind: 'forked', version: at };
  }

  /** Null when the effect belongs to no run. */
  #rootFor({ run, parentEffect }: Pick<Act<'append'>, 'run' | 'parentEffect'>): string | null {
    const known = this.#runs.get(run);
    if (known) return known.root;
    return parentEffect === undefined ? run : (this.#runs.get(parentEffect.split('/')[0] ?? '')?.root ?? null);
  }

  #settle(id: number, status: InboxEntry['status']): void {
    const entry = this.#inbox[id - 1];
    if (entry?.status.kind === 'waiting') entry.status = status;
  }

  #epoch(root: string): number {
    return this.#leases.get(root)?.epoch ?? 0;
  }
}
