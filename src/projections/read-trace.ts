import { catalogue, type CatalogueEntry } from '../../machines/index.ts';
import { RunTrace } from '../charts/trace.ts';
import type { EventStore } from '../log/event-store.ts';
import { open } from '../kernel/fold.ts';
import { readEvents } from '../log/reading.ts';
import { assertFollows, assertIntact, startOf } from '../runtime/intact.ts';
import { type Loaded, notFolded, orUnreadable, unknownTo } from '../runtime/load-run.ts';

export type TraceResult =
  | { readonly kind: 'found'; readonly footprints: RunTrace }
  | Exclude<Loaded, { kind: 'loaded' }>;

/**
 * The trace of a run on its chart, up to a version or to its head. Throws a `LogError` where the log is damaged or was
 * altered.
 */
export async function readTrace(
  log: EventStore,
  run: string,
  at?: number,
  machines: readonly CatalogueEntry[] = catalogue,
): Promise<TraceResult> {
  await assertIntact(log, run);
  return orUnreadable(log, run, machines, () => walked(log, run, at, machines));
}

async function walked(
  log: EventStore,
  run: string,
  at: number | undefined,
  machines: readonly CatalogueEntry[],
): Promise<TraceResult> {
  let footprints: RunTrace | null = null;
  for await (const read of readEvents(log, run, machines, at === undefined ? {} : { to: at })) {
    if (read.kind === 'unreadable') return notFolded(read, machines);
    const fact = read.event;
    assertFollows(run, footprints?.state.version ?? 0, fact.version);
    if (footprints) {
      const unknown = unknownTo(footprints.state, fact, machines);
      if (unknown) return unknown;
      footprints.observe(fact);
    } else {
      const opened = open(startOf(run, fact), machines);
      if (opened.kind !== 'opened') return opened;
      footprints = new RunTrace(opened.state);
    }
  }
  if (!footprints) return { kind: 'unknown_run', run };
  const { version } = footprints.state;
  return at === undefined || version === at
    ? { kind: 'found', footprints }
    : { kind: 'no_such_version', head: version };
}
