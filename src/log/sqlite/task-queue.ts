import { isCurrent } from '../lease.ts';
import type { Lease } from '../lease-store.ts';
import type { NewSubmission, QueueStore, Settled } from '../queue-store.ts';
import { assertSubmission, shortened } from '../submission-row.ts';
import { changeWithin, type Watcher } from '../watch.ts';
import { claimTask, holderOf } from './claim-task.ts';
import type { OpenStore } from './open-store.ts';

/** The queue of a SQLite log. One process writes at a time, so that a claim need not lock its row. */
export function sqliteQueue(store: OpenStore): QueueStore {
  const { submissions } = store.tables;
  return {
    submit: (submission) => submit(store, submission),
    claim: (claim) => claimTask(store, claim),
    settle: (lease, settled) => settle(store, lease, settled),
    stir: (roots) => stir(store, roots),
    requeue: (run) => requeue(store, run),
    withdraw: (run) => withdraw(store, run),
    submission: async (run) => store.reading(() => submissions.find(run)),
    submissions: async () => store.reading(() => submissions.open()),
    submissionsOf: async (key, since) => store.reading(() => submissions.ofKey(key, Date.parse(since))),
    stirred: changesOf(store),
  };
}

async function submit(store: OpenStore, submission: NewSubmission): Promise<boolean> {
  store.assertOpen();
  const { submissions, runs } = store.tables;
  const task = assertSubmission(submission);
  const { run, notBefore } = submission;
  return store.write(
    () => {
      if (submissions.find(run) || runs.find(run)) return false;
      submissions.add(submission, task, store.now(), notBefore === null ? store.now() : Date.parse(notBefore));
      return true;
    },
    () => store.watch.changed(),
  );
}

async function settle(
  store: OpenStore,
  { root, epoch }: Pick<Lease, 'root' | 'epoch'>,
  settled: Settled,
): Promise<boolean> {
  store.assertOpen();
  const { leases } = store.tables;
  return store.write(
    () => {
      const lease = leases.find(root);
      if (lease?.epoch !== epoch) return false;
      leave(store, root, settled);
      if (isCurrent(lease, epoch)) leases.save(root, { ...lease, holder: null });
      return true;
    },
    () => store.watch.changed(),
  );
}

async function stir(store: OpenStore, roots: readonly string[] | null): Promise<number> {
  store.assertOpen();
  const isMeant = (run: string) => roots === null || roots.includes(run);
  const news = () =>
    store.tables.submissions.waiting().filter(({ run, seen }) => isMeant(run) && hasNews(store, run, seen ?? 0));
  if (store.reading(() => news()).length === 0) return 0;
  return store.write(
    () => {
      const due = news();
      for (const { run } of due) makeDue(store, run);
      return due.length;
    },
    () => store.watch.changed(),
  );
}

async function requeue(store: OpenStore, run: string): Promise<boolean> {
  store.assertOpen();
  return store.write(
    () => {
      const standing = store.tables.submissions.find(run)?.standing;
      if (standing !== 'aside' && standing !== 'paused') return false;
      makeDue(store, run);
      return true;
    },
    () => store.watch.changed(),
  );
}

const WITHDRAWN = 'it was withdrawn before a worker began with it';

async function withdraw(store: OpenStore, run: string): Promise<boolean> {
  store.assertOpen();
  const { submissions, runs } = store.tables;
  return store.write(
    () => {
      const found = submissions.find(run);
      if (!found || found.standing === 'over' || runs.find(run) || holderOf(store, run)) return false;
      submissions.leave(run, { standing: 'over', dueAt: store.now(), seen: null, tries: 0, because: WITHDRAWN });
      return true;
    },
    () => store.watch.changed(),
  );
}

/** Waits for changes of the store. One watcher serves all that wait, and opens with the first. */
function changesOf(store: OpenStore): QueueStore['stirred'] {
  let watcher: Watcher | null = null;
  return async (signal, mostMs) => {
    store.assertOpen();
    watcher ??= store.watch.open(null);
    store.poll.start();
    try {
      await changeWithin(watcher, signal, mostMs);
    } finally {
      store.poll.stop();
    }
  };
}

function leave(store: OpenStore, run: string, settled: Settled): void {
  const { submissions } = store.tables;
  const now = store.now();
  const { standing } = settled;
  if (standing === 'waits') {
    const { seen } = settled;
    const next = hasNews(store, run, seen) ? 'due' : 'waits';
    return submissions.leave(run, { standing: next, dueAt: now, seen, tries: 0, because: null });
  }
  const because = shortened(settled.because);
  if (standing !== 'due') return submissions.leave(run, { standing, dueAt: now, seen: null, tries: 0, because });
  const tries = settled.hasFailed ? (submissions.find(run)?.tries ?? 0) + 1 : 0;
  submissions.leave(run, { standing, dueAt: now + settled.inMs, seen: null, tries, because });
}

/** Tells whether something was recorded in a tree, or posted to it, since its versions added up to a number. */
function hasNews({ tables: { runs, inbox } }: OpenStore, root: string, seen: number): boolean {
  if (inbox.countWaiting(root) > 0) return true;
  return runs.ofTree(root).reduce((sum, row) => sum + runs.record(row).version, 0) !== seen;
}

function makeDue({ tables: { submissions }, now }: OpenStore, run: string): void {
  submissions.leave(run, { standing: 'due', dueAt: now(), seen: null, tries: 0, because: null });
}
