import type { DatabaseSync } from 'node:sqlite';
import { jsonIn } from '../../../text/json-in.ts';
import { hostName, isHolder, LEASE_TTL_MS } from '../../lease-store.ts';
import { isAhead } from '../../lease.ts';
import type { StoreFault } from '../../log.ts';
import { timestamp } from '../../timestamp.ts';
import { EventsTable } from '../events-table.ts';
import { readable } from '../readable-rows.ts';
import { LAST_MS } from '../row-shape.ts';
import { RunsTable } from '../runs-table.ts';
import { statement } from '../statement.ts';

const MAX_WARNED = 3;

interface Row {
  readonly root: string;
  readonly holder: string;
  readonly expires_at: number;
}

interface LateLease extends StoreFault {
  /** Its tree has not ended, so that it keeps other processes from it. */
  readonly isInTheWay: boolean;
}

/** Leases that end later than any that is taken now, by more than clocks differ. `now`: milliseconds since 1970. */
export function lateLeases(db: DatabaseSync, now: () => number): readonly LateLease[] {
  const held = statement<[last: number], Row>(
    db,
    `SELECT root, holder, expires_at FROM leases
     WHERE typeof(root) = 'text' AND typeof(holder) = 'text' AND expires_at BETWEEN 0 AND ?`,
  ).all(LAST_MS);
  // After the rows, one of which may have been renewed just now.
  const at = now();
  const late = held.filter(({ expires_at: end }) => isAhead(end, at));
  if (late.length === 0) return [];
  const runs = new RunsTable(db, new EventsTable(db));
  return late.map(({ root, holder: text, expires_at: end }) => {
    const row = runs.find(root);
    const isInTheWay = row !== null && runs.ending(row) === null;
    const holder = jsonIn(text);
    const whose = isHolder(holder) ? hostName(holder) : 'its process';
    const ends = `it ends at ${timestamp(end)}, and a lease that is taken now ends at ${timestamp(at + LEASE_TTL_MS)}`;
    return {
      place: `leases, tree ${root}`,
      reason: `${ends}: the clock of ${whose} is or was ahead, or it was edited`,
      remedy: isInTheWay
        ? `Make sure that no process works on the run; then \`loopfold resume ${root} --take-over\` takes it over.`
        : 'No run waits for it; `loopfold check --repair FILE` saves the log without it.',
      isInTheWay,
    };
  });
}

/** The same for claims of reports. */
export function lateClaims(db: DatabaseSync, now: () => number): readonly StoreFault[] {
  const claimed = statement<[last: number], { run: string; version: number; claimed_until: number }>(
    db,
    `SELECT run, version, claimed_until FROM outbox
     WHERE typeof(run) = 'text' AND typeof(claimed_by) = 'text' AND claimed_until BETWEEN 0 AND ?`,
  ).all(LAST_MS);
  const at = now();
  const late = claimed.filter(({ claimed_until: end }) => isAhead(end, at));
  return late.map(({ run, version, claimed_until: end }) => ({
    place: `outbox, report ${run}/${version}`,
    reason: `a process has claimed it until ${timestamp(end)}: the clock of that one is or was ahead, or it was edited`,
    remedy: '`loopfold deliver` tries it after that time, and at once where that is more than a day away.',
  }));
}

/** Of those that are in the way, the first as sentences. A table that cannot be read is left to the audit. */
export function lateLeaseWarnings(db: DatabaseSync, now: () => number): readonly string[] {
  const late = (readable(() => lateLeases(db, now)) ?? []).filter(({ isInTheWay }) => isInTheWay);
  const named = late.slice(0, MAX_WARNED).map(({ place, reason, remedy }) => `${place}: ${reason}. ${remedy}`);
  const more = late.length - named.length;
  return more === 0 ? named : [...named, `leases: ${more} more end too late. \`loopfold check\` names them.`];
}
