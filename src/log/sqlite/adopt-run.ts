import { START } from '../chain.ts';
import type { Adopted, CopiedEvent, CopiedRun, CopyStore } from '../copy-store.ts';
import { copiedEvent, faultBehind, refusedCopy } from '../copy-store.ts';
import { assertRunName, runOfEffect } from '../effect-names.ts';
import type { OpenStore } from './open-store.ts';
import type { RunRow } from './runs-table.ts';
import type { Tables } from './tables.ts';

/** Takes runs into a SQLite log. */
export const sqliteCopies = (store: OpenStore): CopyStore => ({
  async adopt(run, envelopes) {
    store.assertOpen();
    assertRunName(run.run);
    const events = envelopes.map(copiedEvent);
    return store.write(
      () => adoptRun(store.tables, run, events),
      ({ kind }) => {
        const row = kind === 'adopted' ? store.tables.runs.find(run.run) : null;
        if (row === null) return;
        store.heads.write(run.run, store.tables.runs.head(row));
        store.watch.changed(run.run);
      },
    );
  },
});

function adoptRun(tables: Tables, run: CopiedRun, events: readonly CopiedEvent[]): Adopted {
  const { runs, leases } = tables;
  tables.known.forget();
  const found = runs.find(run.run);
  const lacking = found ? null : lackIn(tables, run);
  if (lacking !== null) return refusedCopy(lacking);
  const fault = faultBehind(found ? runs.head(found) : headOf(tables, run), events);
  if (fault !== null) return refusedCopy(fault);
  const row = found ?? opened(tables, run);
  for (const { event, blob } of events) {
    if (blob) tables.events.insertBlob(blob);
    tables.events.insert(row.key, event);
  }
  if (run.closed !== null) runs.close(row.key, run.closed);
  // Epochs only rise: the next holder gets a later one than every event has.
  const lease = leases.find(run.root);
  const epoch = Math.max(lease?.epoch ?? 0, ...events.map(({ event }) => event.epoch));
  if (epoch > (lease?.epoch ?? 0)) leases.save(run.root, { epoch, holder: null, expiresAt: 0 });
  return { kind: 'adopted' };
}

function lackIn({ runs }: Tables, { run, root, parentEffect, forkedFrom }: CopiedRun): string | null {
  const above = parentEffect === null ? null : runs.find(runOfEffect(parentEffect));
  if (parentEffect !== null && above?.root !== root)
    return `the run that opened it is not there, in the tree of ${root}`;
  if (parentEffect !== null && runs.openedBy(parentEffect)) return `${parentEffect} has opened another run there`;
  if (forkedFrom === null) return null;
  const of = runs.find(forkedFrom.run);
  const isThere = of !== null && runs.hashAt(of, forkedFrom.version) !== null;
  return isThere ? null : `run ${run} continues version ${forkedFrom.version} of ${forkedFrom.run}, which is not there`;
}

function headOf({ runs }: Tables, { forkedFrom }: CopiedRun) {
  const of = forkedFrom && runs.find(forkedFrom.run);
  const hash = of && runs.hashAt(of, forkedFrom.version);
  return forkedFrom && hash ? { version: forkedFrom.version, hash } : START;
}

function opened({ runs }: Tables, { run, root, parentEffect, forkedFrom, createdAt }: CopiedRun): RunRow {
  return runs.insert({
    run,
    root,
    parent_effect: parentEffect,
    prefix: forkedFrom && (runs.find(forkedFrom.run)?.key ?? null),
    prefix_version: forkedFrom?.version ?? 0,
    created_at: Date.parse(createdAt),
  });
}
