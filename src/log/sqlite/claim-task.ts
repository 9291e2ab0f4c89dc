import { isDeadInThisBoot } from '../holder.ts';
import { acquire, type Clock, lapsedHolder, livingHolder } from '../lease.ts';
import type { Holder } from '../lease-store.ts';
import type { Claimed, QueueClaim, Submission } from '../queue-store.ts';
import type { OpenStore } from './open-store.ts';

/** Claims the submission that is due the longest and free. Null: there is none. */
export async function claimTask(store: OpenStore, claim: QueueClaim): Promise<Claimed | null> {
  // Looked for without a transaction first: most of the time there is nothing to claim.
  if (store.reading(() => claimable(store, claim)) === null) return null;
  const claimed = await store.write(() => claimedNow(store, claim));
  if (claimed) store.own.renewed(claimed.lease);
  return claimed;
}

const clockOf = (store: OpenStore, run: string): Clock => ({
  now: store.now(),
  isKnownDead: isDeadInThisBoot,
  isFresh: (holder: Holder) => store.own.isFresh(run, holder),
});

/** The process that holds the tree of a run. Null: none does. */
export const holderOf = (store: OpenStore, run: string): Holder | null =>
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

/** Takes the lease of the first submission that may be claimed, within a transaction. */
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
