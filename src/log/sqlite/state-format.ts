import type { DatabaseSync } from 'node:sqlite';
import type { Head } from '../chain.ts';
import type { LeaseRow } from '../lease.ts';
import type { RunRow } from './runs-table.ts';
import { statement } from './statement.ts';

/** More than this are forgotten together: a process works on few runs at a time. */
const MAX_KNOWN_RUNS = 1_024;

interface KnownRun {
  readonly row: RunRow;
  readonly head: Head;
}

/**
 * What the transactions of this connection have read and written last of the runs that it appends to, and of their
 * leases, so that the next append reads neither again. Another connection's commit makes it void, and a rollback here.
 */
export class KnownState {
  readonly #dataVersion;
  readonly #runs = new Map<string, KnownRun>();
  readonly #leases = new Map<string, LeaseRow>();
  #asOf: number | null = null;

  constructor(db: DatabaseSync) {
    this.#dataVersion = statement<[], { data_version: number }>(db, 'PRAGMA data_version');
  }

  /** Call it inside a transaction, before asking: until that ends, no other connection commits. */
  renew(): void {
    const { data_version: version } = this.#dataVersion.get() ?? { data_version: null };
    if (version === null || version !== this.#asOf) this.forget();
    this.#asOf = version;
  }

  run(run: string): KnownRun | null {
    return this.#runs.get(run) ?? null;
  }

  lease(root: string): LeaseRow | null {
    return this.#leases.get(root) ?? null;
  }

  /** An open run. One that has ended is not asked for again. */
  keepRun(known: KnownRun): void {
    if (this.#runs.size >= MAX_KNOWN_RUNS) this.forget();
    this.#runs.set(known.row.run, known);
  }

  dropRun(run: string): void {
    this.#runs.delete(run);
  }

  keepLease(root: string, row: LeaseRow): void {
    this.#leases.set(root, row);
  }

  dropLease(root: string): void {
    this.#leases.delete(root);
  }

  forget(): void {
    this.#runs.clear();
    this.#leases.clear();
  }
}
