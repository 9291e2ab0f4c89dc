import type { LeaseRow, LeaseRows } from '../../../src/log/lease.ts';

/** Lease rows by root. */
export class LeasesTable implements LeaseRows {
  readonly #rows = new Map<string, LeaseRow>();

  find(root: string): LeaseRow | null {
    return this.#rows.get(root) ?? null;
  }

  save(root: string, row: LeaseRow): void {
    this.#rows.set(root, row);
  }
}
