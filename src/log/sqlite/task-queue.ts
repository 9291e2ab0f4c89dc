import { isDeadInThisBoot } from '../holder.ts';
import { acquire, type Clock, isCurrent, lapsedHolder, livingHolder } from '../lease.ts';
import type { Holder } from '../lease-store.ts';
import type { Claimed, QueueClaim, QueueStore, Settled, Submission } from '../queue-store.ts';
import { assertSubmission, shortened } from '../submission-row.ts';
import { changeWithin, type Watcher } from '../watch.ts';
import type { OpenStore } from './open-store.ts';

/** The queue of a SQLite log. One process writes at a time, so that a claim need not lock its row. */
export function sqliteQueue(store: OpenStore): QueueStore {
  const { submissions, runs, leases } = store.tables;
  let watcher: Watcher | null = null;
  const changed = () => store.watch.changed();
  return {
    async submit(submission) {
      store.assertOpen();
      const task = assertSubmission(submission);
      const { run, notBefore } = submission;
      return store.write(() => {
        if (submissions.find(run) || runs.find(run)) return false;
        submissions.add(submission, task, store.now(), notBefore === null ? store.now() : Date.parse(notBefore));
        return true;
      }, changed);
    },

    async claim(claim) {
      // Looked for without a transaction first: most of the time there is nothing to claim.
      if (store.reading(() => claimable(store, claim)) === null) return null;
      const claimed = await store.write(() => claimedNow(store, claim));
      if (claimed) store.own.renewed(claimed.lease);
      return claimed;
    },

    async settle({ root, epoch }, settled) {
      store.assertOpen();
      return store.write(() => {
        const lease = leases.find(root);
        if (lease?.epoch !== epoch) return false;
        leave(store, root, settled);
        if (isCurrent(lease, epoch)) leases.save(root, { ...lease, holder: null });
        return true;
      }, changed);
    },

    async stir(roots) {
      store.assertOpen();
      const isMeant = (run: string) => roots === null || roots.includes(run);
      const news = () =>
        submissions.waiting().filter(({ run, seen }) => isMeant(run) && hasNews(store, run, seen ?? 0));
      if (store.reading(() => news()).length === 0) return 0;
      return store.write(() => {
        const due = news();
        for (const { run } of due) makeDue(store, run);
        return due.length;
      }, changed);
    },

    async requeue(run) {
      store.assertOpen();
      return store.write(() => {
        const standing = submissions.find(run)?.standing;
        if (standing !== 'aside' && standing !== 'paused') return false;
        makeDue(store, run);
        return true;
      }, changed);
    },

    async withdraw(run) {
      store.assertOpen();
      return store.write(() => {
        const found = submissions.find(run);
        if (!found || found.standing === 'over' || runs.find(run) || holderOf(store, run)) return false;
        submissions.leave(run, { standing: 'over', dueAt: store.now(), seen: null, tries: 0, because: WITHDRAWN });
        return true;
      }, changed);
    },

    async submission(run) {
      return store.reading(() => submissions.find(run));
    },

    async submissions() {
      return store.reading(() => submissions.open());
    },

    async submissionsOf(key, since) {
      return store.reading(() => submissions.ofKey(key, Date.parse(since)));
    },

    async stirred(signal, mostMs) {
      store.assertOpen();
      watcher ??= store.watch.open(null);
      store.poll.start();
      try {
        await changeWithin(watcher, signal, mostMs);
      } finally {
        store.poll.stop();
      }
    },
  };
}

const WITHDRAWN = 'it was withdrawn before a worker began with it';

const clockOf = (store: OpenStore, run: string): Clock => ({
  now: store.now(),
  isKnownDead: isDeadInThisBoot,
  isFresh: (holder: Holder) => store.own.isFresh(run, holder),
});

const holderOf = (store: OpenStore, run: string): Holder | null =>
  livingHolder(store.tables.leases.find(run), clockOf(store, run));

/** The first submission that a worker may claim. */
function claimable(store: OpenStore, { except }: QueueClaim): Submission | null {
  const { submissions } = store.tables;
  const isFree = ({ run, limit }: Submission) =>
    !except.includes(run) &&
    holderOf(store, run) === null &&
    (limit === null ||
      submissions.claimedUnder(limit.key).filter((one) => one !== run && holderOf(store, one)).length < limit.atOnce);
  return submissions.claimable(store.now()).find(isFree) ?? null;
}

function claimedNow(store: OpenStore, claim: QueueClaim): Claimed | null {
  const found = claimable(store, claim);
  if (!found) return null;
  const { submissions, leases, runs } = store.tables;
  const { run, crashes } = found;
  store.headCheck.segments(run);
  for (const one of runs.ofTree(run)) store.headCheck.segments(one.run);
  const lapsed = lapsedHolder(leases.find(run), clockOf(store, run));
  const taken = acquire(leases, run, { holder: claim.by }, clockOf(store, run));
  if (taken.kind === 'held') return null;
  const submission: Submission = { ...found, standing: 'claimed', crashes: crashes + (lapsed ? 1 : 0) };
  submissions.claim(submission);
  return { submission, lease: taken.lease, lapsed, wasDue: found.standing === 'due' };
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
