import type { CopyStore } from '../../../src/log/copy-store.ts';
import type { EventStore } from '../../../src/log/event-store.ts';
import { acquire, lapsedHolder, livingHolder, release, renew } from '../../../src/log/lease.ts';
import type { Holder } from '../../../src/log/lease-store.ts';
import { type Log, SOUND } from '../../../src/log/log.ts';
import type { QueueStore } from '../../../src/log/queue-store.ts';
import { memoryInbox } from '../memory/inbox.ts';
import { memoryLeases } from '../memory/leases.ts';
import { memoryEvents } from '../memory/run-events.ts';
import { memoryOutbox } from '../memory/outbox.ts';
import { memorySnapshots } from '../memory/snapshots.ts';
import { verifiedPages } from '../../../src/testing/log-contract/contract.ts';
import type { SimulatedProcess } from './simulated-process.ts';
import { type SimulatedStore, STORE, type Transaction } from './simulated-store.ts';
import { appendRecord, type StoreRecord } from './store-record.ts';

/** Which process holds a lease, and whether another one can know that it is dead. */
export interface Holders {
  readonly note: (holder: Holder, process: SimulatedProcess) => void;
  readonly isKnownDead: (holder: Holder) => boolean;
}

/** The log as one process sees it: whatever it asks for takes a moment, in which the process may die. */
export function connect(process: SimulatedProcess, store: SimulatedStore, holders: Holders): Log {
  const tables = () => store.tables;
  const clock = () => ({ now: tables().now(), isKnownDead: holders.isKnownDead });
  const reading = <Result>(what: string, read: () => Result) => store.read(process, what, read);
  const writing = <Result>(what: string, work: () => Promise<Transaction<Result>>) => store.write(process, what, work);
  const leasing = <Result>(what: string, root: string, work: () => Result) =>
    writing(what, async () => {
      const before = tables().leases.find(root);
      const result = work();
      const row = tables().leases.find(root);
      return { result, record: row && row !== before ? ({ kind: 'lease', root, row } as const) : null };
    });
  const checked = <Result>(read: (events: EventStore) => Promise<Result>) => {
    store.heads.assertAgree(tables(), STORE);
    return read(memoryEvents(tables()));
  };

  return {
    store: STORE,
    append: (request) =>
      writing('append', async () => {
        if (request.takesLease) holders.note(request.takesLease, process);
        const result = await memoryEvents(tables()).append(request);
        return { result, record: result.kind === 'appended' ? appendRecord(tables(), request) : null };
      }),
    async *read(run, range) {
      yield* await reading('events', () => checked((events) => all(events.read(run, range))));
    },
    async *pages(run, range) {
      yield* await reading('events', () => checked((events) => all(events.pages(run, range))));
    },
    async *readVerified(run) {
      const read = await reading('chain', () => checked((events) => verifiedPages(events, run)));
      yield* read.pages;
      return read.verified;
    },
    follow() {
      throw new Error('no run is followed in a simulation');
    },
    fork: (request) =>
      writing('fork', async () => {
        const result = await memoryEvents(tables()).fork(request);
        return { result, record: result.kind === 'forked' ? { kind: 'fork', request } : null };
      }),
    run: (run) => reading('run', () => checked((events) => events.run(run))),
    runs: () => reading('runs', () => checked((events) => events.runs())),
    tree: (root) => reading('tree', () => checked((events) => events.tree(root))),
    newest: (most, before) => reading('newest', () => checked((events) => events.newest(most, before))),
    changes: (since) => reading('changes', () => checked((events) => events.changes(since))),
    findByParentEffect: (effect) => reading('child', () => checked((events) => events.findByParentEffect(effect))),
    openedFrom: (run) => reading('children', () => checked((events) => events.openedFrom(run))),
    verify: (run) => reading('chain', () => checked((events) => events.verify(run))),
    verifyTree: (root) => reading('chains', () => checked((events) => events.verifyTree(root))),

    acquire: (root, holder, stale) =>
      leasing('acquire', root, () => {
        store.heads.assertAgree(tables(), STORE);
        holders.note(holder, process);
        return acquire(tables().leases, root, { holder, stale }, clock());
      }),
    renew: (lease) => leasing('renew', lease.root, () => renew(tables().leases, lease, tables().now())),
    release: (lease) => leasing('release', lease.root, () => release(tables().leases, lease, waitingIn(tables))),
    holder: (root) => reading('holder', () => livingHolder(tables().leases.find(root), clock())),
    lapsed: (root) => reading('lapsed', () => lapsedHolder(tables().leases.find(root), clock())),

    post: (run, command) =>
      writing('post', async () =>
        recorded(await memoryInbox(tables()).post(run, command), { kind: 'post', run, command }),
      ),
    waitingTrees: () => reading('waiting', () => memoryInbox(tables()).waitingTrees()),
    inbox: (root) => reading('inbox', () => memoryInbox(tables()).inbox(root)),
    reject: (entry, reason) =>
      writing('reject', async () =>
        recorded(await memoryInbox(tables()).reject(entry, reason), { kind: 'reject', entry, reason }),
      ),
    entry: (entry) => reading('entry', () => memoryInbox(tables()).entry(entry)),

    saveSnapshot: (snapshot) =>
      writing('cache', async () =>
        recorded(await memorySnapshots(tables()).saveSnapshot(snapshot), { kind: 'snapshot', snapshot }),
      ),
    latestSnapshot: (run, atMost) => reading('cache', () => memorySnapshots(tables()).latestSnapshot(run, atMost)),

    ...memoryOutbox(tables()),
    ...NO_COPIES,
    ...NO_QUEUE,
    ...SOUND,
    close: async () => {},
  };
}

const NO_COPIES: CopyStore = {
  adopt() {
    throw new Error('no run is copied in a simulation');
  },
};

const unqueued = (): never => {
  throw new Error('no run is submitted in a simulation');
};
const NO_QUEUE: QueueStore = {
  submit: unqueued,
  claim: unqueued,
  settle: unqueued,
  stir: unqueued,
  requeue: unqueued,
  withdraw: unqueued,
  submission: unqueued,
  submissions: unqueued,
  submissionsOf: unqueued,
  stirred: unqueued,
};

/** The log as it is, asked by no process. */
export const viewOf = (tables: SimulatedStore['tables']): Log => ({
  store: STORE,
  ...memoryEvents(tables),
  ...memoryLeases(tables),
  ...memoryInbox(tables),
  ...memoryOutbox(tables),
  ...memorySnapshots(tables),
  ...NO_COPIES,
  ...NO_QUEUE,
  ...SOUND,
  close: async () => {},
});

const waitingIn = (tables: () => SimulatedStore['tables']) => (root: string) => tables().inbox.waiting(root).length;

const recorded = <Result>(result: Result, record: StoreRecord): Transaction<Result> => ({ result, record });

async function all<One>(read: AsyncIterable<One>): Promise<readonly One[]> {
  const found: One[] = [];
  for await (const one of read) found.push(one);
  return found;
}
