import type { DatabaseSync } from 'node:sqlite';
import type { LeaseRow } from '../lease.ts';
import { type Holder, isHolder } from '../lease-store.ts';
import { jsonIn } from '../../text/json-in.ts';
import type { KnownState } from './state-format.ts';
import { MisshapenError } from './row-shape.ts';
import { statement } from './statement.ts';

interface Row {
  readonly epoch: number;
  readonly holder: string | null;
  readonly expires_at: number;
}

/** The table `leases`. */
export class LeasesTable {
  readonly #find;
  readonly #save;
  readonly #known: KnownState;

  constructor(db: DatabaseSync, known: KnownState) {
    this.#known = known;
    this.#find = statement<[root: string], Row>(db, 'SELECT epoch, holder, expires_at FROM leases WHERE root = ?');
    this.#save = statement<[root: string, epoch: number, holder: string | null, expiresAt: number]>(
      db,
      'INSERT OR REPLACE INTO leases (root, epoch, holder, expires_at) VALUES (?, ?, ?, ?)',
    );
  }

  find(root: string): LeaseRow | null {
    const row = this.#find.get(root);
    const holder = row?.holder ? holderIn(row.holder, 'holder') : null;
    return row && { epoch: row.epoch, holder, expiresAt: row.expires_at };
  }

  /** Inside a transaction for which the known state was renewed. */
  findAgain(root: string): LeaseRow | null {
    const known = this.#known.lease(root);
    if (known) return known;
    const row = this.find(root);
    if (row) this.#known.keepLease(root, row);
    return row;
  }

  save(root: string, { epoch, holder, expiresAt }: LeaseRow): void {
    this.#known.dropLease(root);
    this.#save.run(root, epoch, holder && JSON.stringify(holder), expiresAt);
  }
}

/** Throws a `MisshapenError` where a column names no process. */
export function holderIn(text: string, column: string): Holder {
  const found = jsonIn(text);
  if (!isHolder(found)) throw new MisshapenError(`the column ${column} names no process`);
  const { host, pid, processStart, token } = found;
  return { host, pid, processStart, token };
}
