import type { Json } from '../../../src/log/envelope.ts';
import type { StoredSnapshot } from '../../../src/log/log.ts';

type Row = Omit<StoredSnapshot, 'state'> & { readonly state: string };

/** Cached states by run and version, kept as text so that a caller's later changes do not reach them. */
export class SnapshotsTable {
  readonly #rows = new Map<string, Map<number, Row>>();

  save(snapshot: StoredSnapshot): void {
    const rows = this.#rows.get(snapshot.run) ?? new Map<number, Row>();
    rows.set(snapshot.version, { ...snapshot, state: JSON.stringify(snapshot.state) });
    this.#rows.set(snapshot.run, rows);
  }

  /** The newest between two versions whose hash is the log's. */
  latest(run: string, from: number, to: number, hashAt: (version: number) => string | null): StoredSnapshot | null {
    const rows = [...(this.#rows.get(run)?.values() ?? [])];
    const usable = rows.filter(({ version, hash }) => version >= from && version <= to && hashAt(version) === hash);
    const row = usable.toSorted((a, b) => b.version - a.version)[0];
    return row ? { ...row, state: JSON.parse(row.state) as Json } : null;
  }
}
