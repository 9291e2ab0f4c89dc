import type { StoredEvent } from '../chain.ts';
import type { Listed } from '../tree-listing.ts';
import type { Verifiable } from '../verify-tree.ts';
import type { Segment } from './event-pages.ts';
import type { EventsTable } from './events-table.ts';
import type { RunRow, RunsTable } from './runs-table.ts';

interface RunTables {
  readonly runs: RunsTable;
  readonly events: EventsTable;
}

/** Where a run is listed, by its row. */
export const listed = ({ run, root, parent_effect: parentEffect }: RunRow): Listed => ({ run, root, parentEffect });

/** What verifying needs of the tables of a store. `segmentsOf`: whose events a run is made of. */
export function verifiableTables(
  { runs, events }: RunTables,
  segmentsOf: (run: string) => readonly Segment[] = (run) => {
    const row = runs.find(run);
    return row === null ? [] : runs.segments(row);
  },
): Verifiable {
  return {
    find: (run) => {
      const row = runs.find(run);
      return row && listed(row);
    },
    tree: (root) => runs.ofTree(root).map(listed),
    openedFrom: (run) => runs.openedFrom(run).map(listed),
    ending: (run) => {
      const row = runs.find(run);
      return row && runs.ending(row);
    },
    events: (run) => eventsOf(storedPages(events, segmentsOf(run))),
    blobText: events.blobText,
  };
}

/** All events of some segments, by pages. */
export function* storedPages({ pages }: EventsTable, segments: readonly Segment[]): Generator<readonly StoredEvent[]> {
  for (const segment of segments) {
    let page = pages.whole(segment, segment.from);
    for (; page.length > 0; page = pages.whole(segment, (page.at(-1)?.version ?? 0) + 1)) yield page;
  }
}

function* eventsOf(pages: Iterable<readonly StoredEvent[]>): Generator<StoredEvent> {
  for (const page of pages) yield* page;
}
