import { setTimeout as sleep } from 'node:timers/promises';
import { isAhead } from '../log/lease.ts';
import { thisProcess } from '../log/holder.ts';
import {
  type HeldLease,
  type Holder,
  hostName,
  type LapsedLease,
  LEASE_TTL_MS,
  type LeaseResult,
} from '../log/lease-store.ts';
import type { Log } from '../log/log.ts';

/** Tells a lease that its holder renews from one that only ends late, whatever the clocks of the two processes say. */
export class LeaseWatch {
  #seen: HeldLease | null = null;
  #sinceMs = 0;

  /** Whether a lease stayed as it is for as long as a lease lasts. `waitedMs`: since it was looked at before. */
  isStale(held: HeldLease, waitedMs: number): boolean {
    this.#sinceMs = this.#seen !== null && isSameLease(this.#seen, held) ? this.#sinceMs + waitedMs : 0;
    this.#seen = held;
    return this.#sinceMs >= LEASE_TTL_MS;
  }
}

const isSameLease = (one: LapsedLease, other: LapsedLease): boolean =>
  one.by.token === other.by.token && one.expiresAt === other.expiresAt;

/**
 * Ends a process whose lease has expired, and what it has started for these runs. Resolves with null when none of it is
 * at work, or the process holds its lease again; else with the reason why it cannot be ended. `store`: the log.
 */
export type EndHolder = (
  lapsed: Holder,
  about: { readonly runs: readonly string[]; readonly store: string; readonly isLapsed: () => Promise<boolean> },
) => Promise<string | null>;

/** For a log that only this process can write: what held a lease before was here, and is over. */
export const leave: EndHolder = async () => null;

/**
 * `because`: why it has to be a person who says that the holder is gone. `mayRenew`: a lease ends too late, and whether
 * its holder is at work shows when it renews it.
 */
export type NotTakenLease = HeldLease & { readonly because?: string; readonly mayRenew?: boolean };

type Taken = Exclude<LeaseResult, HeldLease> | NotTakenLease;

interface Taking {
  readonly log: Log;
  readonly endHolder: EndHolder;
  readonly now: () => number;
}

/** How often a lease is looked at that ends too late. */
const LOOK_MS = 500;

/**
 * Takes the lease of a tree. A process that held it last and never gave it back is ended first: it could go on with
 * what is recorded as interrupted. `takeOver`: a person vouches for it where it cannot be ended, or where its lease
 * ends too late. A holder that renews such a lease keeps it.
 */
export async function takeLease(taking: Taking, root: string, takeOver: boolean): Promise<Taken> {
  const { log, now } = taking;
  const lapsed = await log.lapsed(root);
  if (lapsed !== null) {
    const isLapsed = async () => isUnchanged(await log.lapsed(root), lapsed);
    const because = await ended(taking, root, lapsed.by, isLapsed);
    // Its holder renews it, though it has expired by the clock here: the clocks of the two differ.
    const newest = because === null ? await log.lapsed(root) : null;
    if (newest?.by.token === lapsed.by.token && newest.expiresAt !== lapsed.expiresAt)
      return { kind: 'held', ...newest };
    if (because !== null && !takeOver)
      return { kind: 'held', ...lapsed, because: `${lapsedText(lapsed, now())}, but ${because}` };
  }
  const taken = await log.acquire(root, thisProcess());
  if (taken.kind !== 'held' || !isAhead(Date.parse(taken.expiresAt), now())) return taken;
  return takeOver ? succeed(taking, root, taken) : { ...taken, because: aheadText(taken, now()), mayRenew: true };
}

/** Takes a lease that ends too late, unless its holder renews it or gives it back meanwhile. */
async function succeed(taking: Taking, root: string, held: HeldLease): Promise<Taken> {
  const { log } = taking;
  const own = thisProcess();
  let found: LeaseResult = held;
  const isStill = async () => {
    found = await log.acquire(root, own);
    return found.kind === 'held' && isSameLease(found, held);
  };
  const because = await ended(taking, root, held.by, isStill);
  // It is here and has not renewed its lease, or a person has vouched for it.
  const isStale = because === null ? await isStill() : await stays(isStill);
  return isStale ? log.acquire(root, own, held) : found;
}

async function stays(isStill: () => Promise<boolean>): Promise<boolean> {
  for (let waitedMs = 0; waitedMs < LEASE_TTL_MS; waitedMs += LOOK_MS) {
    if (!(await isStill())) return false;
    await sleep(LOOK_MS);
  }
  return isStill();
}

const isUnchanged = (found: LapsedLease | null, lapsed: LapsedLease): boolean =>
  found !== null && isSameLease(found, lapsed);

async function ended(
  { log, endHolder }: Taking,
  root: string,
  holder: Holder,
  isLapsed: () => Promise<boolean>,
): Promise<string | null> {
  const runs = (await log.tree(root)).map(({ run }) => run);
  return endHolder(holder, { runs, store: log.store, isLapsed });
}

const lapsedText = ({ expiresAt }: LapsedLease, now: number): string =>
  Date.parse(expiresAt) <= now
    ? 'its lease has expired'
    : `its lease ends at ${expiresAt}, so that it was edited, or a clock was wrong by more than a day`;

const aheadText = ({ by, expiresAt }: HeldLease, now: number): string =>
  `its lease ends at ${expiresAt}, and one that is taken now ends at ${new Date(now + LEASE_TTL_MS).toISOString()}: ` +
  `the clock of ${hostName(by)} is or was ahead, or the lease was edited`;
