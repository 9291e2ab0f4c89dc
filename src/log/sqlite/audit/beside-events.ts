import type { DatabaseSync } from 'node:sqlite';
import { isHolder } from '../../lease-store.ts';
import { jsonIn } from '../../../text/json-in.ts';
import { sha256 } from '../../sha256.ts';
import { hexOf } from '../statement.ts';
import { LEAVE_OUT, RESTORE } from '../../log.ts';
import { type Faults, type AnyRow, shapely } from './rows.ts';
import type { Owners } from './owners.ts';
import { columnMisfits, firstOwed } from './report-rows.ts';

const isJson = (text: unknown): boolean => typeof text === 'string' && jsonIn(text) !== undefined;
const GONE = 'is not in the log';

/** Who may write a tree. A lease of no run is what a process leaves that was killed before its first event. */
export function auditLeases(db: DatabaseSync, owners: Owners, faults: Faults): void {
  const nameOf = ({ root }: AnyRow) => `leases, tree ${String(root)}`;
  for (const row of shapely(db, 'SELECT * FROM leases', nameOf, faults)) {
    const { root, epoch, holder } = row as { root: string; epoch: number; holder: string | null };
    const add = (reason: string) => faults.add(nameOf(row), reason, LEAVE_OUT);
    if (holder !== null && !isHolder(jsonIn(holder))) add('the column holder names no process');
    const top = owners.rootOf(root);
    if (top !== null && top !== root) add(`it is not the top of a tree: that is ${top}`);
    const newest = owners.newestEpoch(root);
    if (epoch < newest) add(`its epoch is ${epoch}, and events of epoch ${newest} were recorded`);
  }
  for (const root of owners.rootsWithoutLease())
    faults.add(
      nameOf({ root }),
      `it is missing, and events of epoch ${owners.newestEpoch(root)} were recorded`,
      RESTORE,
    );
}

/** Reports to webhooks. Their words are not compared. */
export function auditOutbox(db: DatabaseSync, owners: Owners, faults: Faults): void {
  const nameOf = ({ run, version }: AnyRow) => `outbox, report ${String(run)}/${String(version)}`;
  const first = firstOwed(db);
  for (const row of shapely(db, 'SELECT * FROM outbox', nameOf, faults)) {
    const { run, version } = row as { run: string; version: number };
    const event = owners.eventOf(run, version);
    const misfits = [...reportMisfits(row, owners), ...columnMisfits(row, event && Date.parse(event.at), first)];
    for (const reason of misfits) faults.add(nameOf(row), reason, LEAVE_OUT);
  }
}

/** Why a report does not belong to the runs of a store as they are. */
export function reportMisfits(row: AnyRow, owners: Owners): readonly string[] {
  const { run, version, url } = row as { run: string; version: number; url: string };
  if (owners.rootOf(run) === null) return [`its run ${GONE}`];
  const event = owners.eventOf(run, version);
  const misfits = event === null ? [`its event ${GONE}`] : bodyMisfits(row, event.at);
  const webhook = owners.webhooksOf(run)?.find((one) => one['url'] === url);
  if (event !== null && !webhook) return [...misfits, `its run does not report to ${url}`];
  const isOtherVariable = webhook && (webhook['secretVariable'] ?? null) !== row['secret_variable'];
  return isOtherVariable ? [...misfits, `its run signs reports to ${url} by another variable`] : misfits;
}

function bodyMisfits({ run, body, claimed_by: claimedBy }: AnyRow, at: string): string[] {
  const told = Object(jsonIn(String(body))) as { readonly run?: unknown; readonly at?: unknown };
  return [
    ...(told.run === run ? [] : ['its body is not about its run']),
    ...(told.at === at ? [] : [`its body has another time than its event, ${at}`]),
    // An earlier version of the program wrote an id.
    ...(typeof claimedBy === 'string' && claimedBy.startsWith('{') && !isHolder(jsonIn(claimedBy))
      ? ['the column claimed_by names no process']
      : []),
  ];
}

/** Stored states of runs, by the hash of the event that they follow. */
export function auditSnapshots(db: DatabaseSync, owners: Owners, faults: Faults): void {
  const nameOf = ({ run, version }: AnyRow) => `snapshots, run ${String(run)} at version ${String(version)}`;
  for (const row of shapely(db, 'SELECT * FROM snapshots', nameOf, faults)) {
    const { run, version, hash } = row as { run: string; version: number; hash: Uint8Array };
    const add = (reason: string) => faults.add(nameOf(row), reason, LEAVE_OUT);
    if (!isJson(row['state'])) add('the column state holds no JSON');
    const event = owners.eventOf(run, version);
    if (event === null) add('its event is not in the log');
    else if (hexOf(event.hash) !== hexOf(hash)) add('it follows an event with another hash');
  }
}

/** Events that belong to no run, and contents that are not what their name says. */
export function auditLoose(db: DatabaseSync, faults: Faults): void {
  const loose = db.prepare(
    'SELECT run, count(*) AS events FROM events WHERE run NOT IN (SELECT key FROM runs) GROUP BY run',
  );
  // Node throws where a number would be too large.
  loose.setReadBigInts(true);
  for (const { run, events } of loose.all())
    faults.add(
      `runs, row ${String(run)}`,
      `it is missing, and ${events === 1n ? '1 event in the log belongs' : `${String(events)} events in the log belong`} to it`,
      RESTORE,
    );
  const nameOf = ({ sha256: name }: AnyRow) => `blobs, ${name instanceof Uint8Array ? hexOf(name) : String(name)}`;
  for (const row of shapely(db, 'SELECT * FROM blobs', nameOf, faults)) {
    const { sha256: name, content } = row as { sha256: Uint8Array; content: string };
    if (!(name instanceof Uint8Array) || sha256(content) !== hexOf(name))
      faults.add(nameOf(row), 'its content is another than its name says', RESTORE);
  }
}
