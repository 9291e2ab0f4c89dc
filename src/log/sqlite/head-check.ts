import type { Head } from '../chain.ts';
import { diverged } from './divergence.ts';
import type { Segment } from './event-pages.ts';
import type { HeadNotes } from './heads.ts';
import type { RunsTable } from './runs-table.ts';

/** Compares runs with the notes of their heads: throws a `LogError` `diverged` when the database lost events. */
export class HeadCheck {
  readonly #store: string;
  readonly #runs: RunsTable;
  readonly #heads: HeadNotes;

  constructor(store: string, runs: RunsTable, heads: HeadNotes) {
    this.#store = store;
    this.#runs = runs;
    this.#heads = heads;
  }

  /** A run's segments, after comparing it with its note unless this process wrote that. */
  segments(run: string): readonly Segment[] {
    return this.#agreeing(run, this.#heads.isOwn(run) ? null : this.#heads.read(run));
  }

  /** A run's segments, after comparing it with its note in any case. */
  segmentsByNote(run: string): readonly Segment[] {
    return this.#agreeing(run, this.#heads.read(run));
  }

  /** The head is read before the database: it is written after the commit, so the database may only be ahead. */
  #agreeing(run: string, noted: Head | null): readonly Segment[] {
    const row = this.#runs.find(run);
    if (noted && (row ? this.#runs.hashAt(row, noted.version) : null) !== noted.hash) {
      throw diverged(this.#store, [{ run, noted: noted.version, here: row ? this.#runs.head(row).version : 0 }]);
    }
    return row ? this.#runs.segments(row) : [];
  }
}
