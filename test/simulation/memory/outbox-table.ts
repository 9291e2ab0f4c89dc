import { isKnownDead } from '../../../src/log/holder.ts';
import { type Holder, MAX_CLOCK_AHEAD_MS } from '../../../src/log/lease-store.ts';
import {
  type Claim,
  type Failure,
  isOwed,
  MAX_DELIVERED,
  type NewReport,
  type Report,
} from '../../../src/log/outbox-store.ts';

interface Row extends Report {
  readonly triedAt: number | null;
}

/** Reports on their way, oldest first. */
export class OutboxTable {
  readonly #rows = new Map<string, Row>();
  /** Those that are not delivered. */
  readonly #open = new Set<string>();
  /** The newest ones that are, oldest first. */
  readonly #delivered: string[] = [];

  insert(run: string, { version, ...report }: NewReport, now: number): void {
    const id = `${run}/${version}`;
    const key = keyOf(id, report.url);
    if (this.#rows.has(key)) return;
    const at = timestamp(now);
    const fresh = { attempts: 0, claimedUntil: null, claimedBy: null, triedAt: null };
    const open = { deliveredAt: null, givenUpAt: null, lastError: null };
    this.#rows.set(key, { ...report, id, run, createdAt: at, nextTryAt: at, ...fresh, ...open });
    this.#open.add(key);
  }

  claim(claim: Claim, now: number): Report | null {
    const able = this.#heads().filter((row) => isClaimable(row, claim, now));
    const [first] = able.toSorted((one, other) => one.nextTryAt.localeCompare(other.nextTryAt));
    if (!first) return null;
    const claimedUntil = timestamp(now + claim.forMs);
    const row = { ...first, attempts: first.attempts + 1, triedAt: now, claimedBy: claim.by, claimedUntil };
    return reportOf(this.#put(row));
  }

  deliver(claimed: Report, by: Holder, now: number): boolean {
    return this.#settle(claimed, by, { deliveredAt: timestamp(now), lastError: null });
  }

  fail(claimed: Report, by: Holder, { error, againInMs }: Failure, now: number): boolean {
    const next = againInMs === null ? { givenUpAt: timestamp(now) } : { nextTryAt: timestamp(now + againInMs) };
    return this.#settle(claimed, by, { lastError: error, ...next });
  }

  undelivered(run?: string): readonly Report[] {
    return this.#notDelivered()
      .filter((row) => run === undefined || row.run === run)
      .map(reportOf);
  }

  ofRun(run: string): readonly Report[] {
    return [...this.#rows.values()].filter((row) => row.run === run).map(reportOf);
  }

  isOwing(): boolean {
    return this.#notDelivered().some(isOwed);
  }

  find(id: string, url: string): Report | null {
    const row = this.#rows.get(keyOf(id, url));
    return row ? reportOf(row) : null;
  }

  /** The first owed row of each run and URL. */
  #heads(): Row[] {
    const heads = new Map<string, Row>();
    for (const row of this.#notDelivered()) {
      const line = keyOf(row.run, row.url);
      if (isOwed(row) && !heads.has(line)) heads.set(line, row);
    }
    return [...heads.values()];
  }

  #notDelivered(): Row[] {
    return [...this.#open].flatMap((key) => this.#rows.get(key) ?? []);
  }

  #settle({ id, url }: Report, by: Holder, how: Partial<Report>): boolean {
    const row = this.#rows.get(keyOf(id, url));
    if (!row || !isOwed(row) || row.claimedBy?.token !== by.token) return false;
    this.#put({ ...row, ...how, claimedBy: null, claimedUntil: null });
    return true;
  }

  #put(row: Row): Row {
    const key = keyOf(row.id, row.url);
    this.#rows.set(key, row);
    if (row.deliveredAt === null || !this.#open.delete(key)) return row;
    this.#delivered.push(key);
    if (this.#delivered.length > MAX_DELIVERED) this.#rows.delete(this.#delivered.shift() ?? '');
    return row;
  }
}

function isClaimable(row: Row, claim: Claim, now: number): boolean {
  const { secretVariable, claimedBy, claimedUntil, nextTryAt, triedAt } = row;
  const { variables, lastTriedBefore } = claim;
  const isClaimantDead = claimedBy !== null && claimedBy.token !== claim.by.token && isKnownDead(claimedBy);
  const until = claimedUntil === null ? now : Date.parse(claimedUntil);
  const isFree = until <= now || until > now + MAX_CLOCK_AHEAD_MS || isClaimantDead;
  const isSignable = secretVariable === null || variables.includes(secretVariable);
  const isDue =
    lastTriedBefore === undefined
      ? Date.parse(nextTryAt) <= now
      : triedAt === null || triedAt < Date.parse(lastTriedBefore);
  return isFree && isSignable && isDue;
}

const keyOf = (one: string, url: string): string => `${one} ${url}`;
const timestamp = (ms: number): string => new Date(ms).toISOString();
const reportOf = ({ triedAt: _at, ...report }: Row): Report => report;
