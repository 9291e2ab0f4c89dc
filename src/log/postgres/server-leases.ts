import { jsonIn } from '../../text/json-in.ts';
import { assertRunName } from '../effect-names.ts';
import { isDeadInThisBoot } from '../holder.ts';
import { acquire, type Clock, lapsedHolder, type LeaseRow, livingHolder, release, renew } from '../lease.ts';
import { type Holder, isHolder, type LeaseStore } from '../lease-store.ts';
import type { Client } from './driver.ts';
import type { Server } from './server.ts';
import { damaged, transient } from './server-failure.ts';

interface Row {
  readonly epoch: number | null;
  readonly holder: string | null;
  readonly expires_at: number | null;
  readonly now: number;
}

/** One row in any case: the time goes with it. */
const FIND = `
  SELECT l.epoch, l.holder, l.expires_at, t AS now FROM store_time($2) AS t LEFT JOIN leases l ON l.root = $1`;
/** A lock that waits for an append or a command that is under way. */
const LOCK = 'SELECT 1 FROM leases WHERE root = $1 FOR NO KEY UPDATE';

/**
 * The leases of a log on a server, by its time. A holder on another machine is dead when its lease has expired, and
 * not before.
 */
export function serverLeases(server: Server): LeaseStore {
  const { own } = server;
  const clock = (root: string, now: number): Clock => ({
    now,
    isKnownDead: isDeadInThisBoot,
    isFresh: (holder) => own.isFresh(root, holder),
  });
  const found = async (root: string) => {
    const [row] = await server.reading<Row>(FIND, [root, server.given]);
    return { row: rowOf(server, row), clock: clock(root, row?.now ?? 0) };
  };

  return {
    async acquire(root, holder, stale) {
      server.assertOpen();
      assertRunName(root);
      const taken = await changing(server, root, (rows, now) =>
        acquire(rows, root, { holder, stale }, clock(root, now)),
      );
      if (taken.kind === 'leased') own.renewed(taken.lease);
      return taken;
    },

    async renew(lease) {
      server.assertOpen();
      const renewed = await changing(server, lease.root, (rows, now) => renew(rows, lease, now));
      if (renewed.kind === 'renewed') own.renewed(lease);
      return renewed;
    },

    async release(lease) {
      server.assertOpen();
      return changing(server, lease.root, (rows, _now, waiting, isAgain) => {
        const row = rows.find(lease.root);
        // It was given back before the connection was lost.
        if (isAgain && row?.holder === null && row.epoch === lease.epoch) return { kind: 'released' };
        return release(rows, lease, () => waiting);
      });
    },

    async holder(root) {
      const { row, clock: at } = await found(root);
      return livingHolder(row, at);
    },

    async lapsed(root) {
      const { row, clock: at } = await found(root);
      return lapsedHolder(row, at);
    },
  };
}

interface Rows {
  find(root: string): LeaseRow | null;
  save(root: string, row: LeaseRow): void;
}

type Decide<T> = (rows: Rows, now: number, waiting: number, isAgain: boolean) => T;

/** Decides on the lease of a tree in a transaction in which no other process changes it. */
function changing<T>(server: Server, root: string, decide: Decide<T>): Promise<T> {
  return server.write(async (client, isAgain) => {
    await client.query({ name: 'lock lease', text: LOCK, values: [root] });
    const { rows } = await client.query<Row>({ name: 'lease', text: FIND, values: [root, server.given] });
    const before = rowOf(server, rows[0]);
    let after: LeaseRow | null = null;
    const kept: Rows = {
      find: () => before,
      save: (_, row) => {
        after = row;
      },
    };
    const waiting = await countWaiting(client, root);
    const decision = decide(kept, rows[0]?.now ?? 0, waiting, isAgain);
    if (after !== null) await save(client, root, after, before === null);
    return decision;
  });
}

async function save(client: Client, root: string, row: LeaseRow, isNew: boolean): Promise<void> {
  const text = isNew
    ? 'INSERT INTO leases (root, epoch, holder, expires_at) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING'
    : 'UPDATE leases SET epoch = $2, holder = $3, expires_at = $4 WHERE root = $1';
  const { epoch, holder, expiresAt } = row;
  const values = [root, epoch, holder && JSON.stringify(holder), expiresAt];
  const { rowCount } = await client.query({ name: isNew ? 'new lease' : 'save lease', text, values });
  if (rowCount !== 1) throw transient('another process has taken the lease meanwhile');
}

async function countWaiting(client: Client, root: string): Promise<number> {
  const text = 'SELECT count(*) AS waiting FROM inbox WHERE root = $1 AND delivered IS NULL AND rejected IS NULL';
  const { rows } = await client.query<{ waiting: number }>({ name: 'waiting', text, values: [root] });
  return rows[0]?.waiting ?? 0;
}

function rowOf(server: Server, row: Row | undefined): LeaseRow | null {
  if (!row || row.epoch === null || row.expires_at === null) return null;
  return { epoch: row.epoch, holder: holderIn(server, row.holder), expiresAt: row.expires_at };
}

/** The process that a column names. Throws a `LogError` where it names none. */
export function holderIn(server: Server, text: string | null): Holder | null {
  if (text === null) return null;
  const found = jsonIn(text);
  if (!isHolder(found)) throw damaged(server.store, 'a column holder names no process');
  const { host, pid, processStart, token } = found;
  return { host, pid, processStart, token };
}
