import { leaseFor, refusal } from '../../../src/log/append-admission.ts';
import type { StoredEvent } from '../../../src/log/chain.ts';
import { assertRunName, runOfEffect } from '../../../src/log/effect-names.ts';
import type { Append, AppendResult, EventStore } from '../../../src/log/event-store.ts';
import { follow, type Followed } from '../../../src/log/follow.ts';
import { prepare } from '../../../src/log/prepare-events.ts';
import { bareEnvelopeOf, envelopeOf } from '../../../src/log/event-envelope.ts';
import { type Verifiable, Verification, verifyRun, verifyTree } from '../../../src/log/verify-tree.ts';
import type { OpenStore } from './open-store.ts';
import { MemoryRun } from './memory-run.ts';

const PAGE_EVENTS = 256;

/** The runs and events of a log in memory. */
export function memoryEvents(store: OpenStore): EventStore {
  const { runs } = store;
  return {
    async append(request) {
      store.assertOpen();
      return append(store, request);
    },

    async *read(run, { from = 1, to = Infinity, salts = false } = {}) {
      store.assertOpen();
      for (let version = Math.max(1, from); version <= to; version += 1) {
        const event = runs.find(run)?.at(version);
        if (!event) return;
        yield envelopeOf(event, store, salts);
      }
    },

    async *pages(run, { from = 1, to = Infinity } = {}) {
      store.assertOpen();
      for (let next = Math.max(1, from); next <= to; next += PAGE_EVENTS) {
        const page = pageOf(runs.find(run), next, Math.min(to, next + PAGE_EVENTS - 1));
        if (page.length === 0) return;
        yield page.map((event) => bareEnvelopeOf(event, store));
      }
    },

    async *follow(run, { from = 1, signal, salts = false }) {
      store.assertOpen();
      yield* follow(followedOf(store, salts), run, Math.max(1, from), signal);
    },

    async fork({ from, at, to }) {
      store.assertOpen();
      assertRunName(to);
      const of = runs.find(from);
      if (!of) return { kind: 'unknown_run' };
      if (runs.find(to)) return { kind: 'exists' };
      if (!of.at(at)) return { kind: 'no_such_version', head: of.head.version };
      const prefix = { of, version: at };
      const facts = { run: to, root: to, parentEffect: null, createdAt: store.timestamp(), prefix };
      const run = runs.insert(new MemoryRun(facts));
      store.watch.changed(to);
      return { kind: 'forked', run: run.record() };
    },

    async run(run) {
      store.assertOpen();
      return runs.find(run)?.record() ?? null;
    },

    async runs() {
      store.assertOpen();
      return runs.all().map((run) => run.record());
    },

    async tree(root) {
      store.assertOpen();
      return runs.ofTree(root).map((run) => run.record());
    },

    async newest(most) {
      store.assertOpen();
      const tops = runs.all().filter(({ parentEffect }) => parentEffect === null);
      const newest = tops.toReversed().slice(0, most);
      return { runs: newest.map((run) => run.record()), more: tops.length - newest.length };
    },

    async changes(since) {
      store.assertOpen();
      const all = runs.all().map(({ root, own }) => ({ root, newest: own.at(-1)?.position ?? 0 }));
      // Not spread into one call, which takes only so many.
      const position = all.reduce((most, { newest }) => Math.max(most, newest), 0);
      const changed = since === null ? [] : all.filter(({ newest }) => newest > since);
      return { position, trees: [...new Set(changed.map(({ root }) => root))] };
    },

    async findByParentEffect(effect) {
      store.assertOpen();
      return runs.openedBy(effect)?.record() ?? null;
    },

    async openedFrom(run) {
      store.assertOpen();
      return runs.openedFrom(run).map((one) => one.record());
    },

    async verify(run) {
      store.assertOpen();
      return verifyRun(verifiable(store), run);
    },

    async *readVerified(run) {
      store.assertOpen();
      const verification = new Verification(verifiable(store), run);
      for (const event of storedIn(runs.find(run))) {
        if (!verification.take(event)) break;
        yield [bareEnvelopeOf(event, store)];
      }
      return verification.result;
    },

    async verifyTree(run) {
      store.assertOpen();
      return verifyTree(verifiable(store), run);
    },
  };
}

function append(store: OpenStore, request: Append): AppendResult {
  const prepared = prepare(request);
  if (prepared.kind !== 'prepared') return prepared;
  const { runs, leases, inbox, outbox } = store;
  const known = runs.find(request.run);
  const root = known?.root ?? rootOfNew(store, request);
  const lease = leaseFor(request, leases.find(root), store.now());
  const refused = refusal(request, {
    lease,
    version: known?.head.version ?? 0,
    closed: known?.closed ?? null,
    openedByEffect: runs.openedBy(request.parentEffect ?? '')?.run ?? null,
  });
  if (refused) return refused;
  const run = known ?? openRun(store, request, root);
  const stored = store.events.insert(run, request.epoch, prepared.events);
  run.closed = request.closes ?? null;
  const version = stored[0]?.version ?? 0;
  for (const id of request.delivers ?? []) inbox.settle(id, { kind: 'delivered', version }, root);
  for (const report of request.reports ?? []) outbox.insert(request.run, report, store.now());
  const isReleased = request.releasesLease === true && inbox.waiting(root).length === 0;
  if (lease) leases.save(root, isReleased ? { ...lease, holder: null } : lease);
  store.watch.changed(request.run);
  const envelopes = stored.map((event) => envelopeOf(event, store));
  return { kind: 'appended', envelopes, ...(isReleased ? { isReleased } : {}) };
}

function openRun(store: OpenStore, { run, events, parentEffect }: Append, root: string): MemoryRun {
  const createdAt = events[0]?.at ?? store.timestamp();
  return store.runs.insert(new MemoryRun({ run, root, parentEffect: parentEffect ?? null, createdAt, prefix: null }));
}

function rootOfNew({ runs }: OpenStore, { run, parentEffect }: Append): string {
  if (parentEffect === undefined) return run;
  const parent = runs.find(runOfEffect(parentEffect));
  if (!parent) throw new TypeError(`append to ${run}: the log does not know the run of ${parentEffect}`);
  return parent.root;
}

function followedOf(store: OpenStore, salts: boolean): Followed {
  const { runs } = store;
  return {
    watch: store.watch,
    page(run, from) {
      const event = runs.find(run)?.at(from);
      return event ? [envelopeOf(event, store, salts)] : [];
    },
    isOver: (run) => store.isClosed || (runs.find(run)?.closed ?? null) !== null,
  };
}

const verifiable = ({ runs, blobText }: OpenStore): Verifiable => ({
  find: (run) => runs.find(run),
  tree: (root) => runs.ofTree(root),
  openedFrom: (run) => runs.openedFrom(run),
  ending: (run) => runs.find(run)?.closed ?? null,
  events: (run) => storedIn(runs.find(run)),
  blobText,
});

function* storedIn(run: MemoryRun | null): Generator<StoredEvent> {
  if (run) yield* pageOf(run, 1, run.head.version);
}

function pageOf(run: MemoryRun | null, from: number, to: number): StoredEvent[] {
  const page: StoredEvent[] = [];
  for (let version = from; version <= to; version += 1) {
    const event = run?.at(version);
    if (!event) break;
    page.push(event);
  }
  return page;
}
