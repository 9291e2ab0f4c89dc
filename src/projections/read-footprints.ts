import { catalogue, type CatalogueEntry } from '../../machines/index.ts';
import { Footprints } from '../charts/footprints.ts';
import type { Log } from '../log/log.ts';
import { open } from '../runtime/fold.ts';
import { readEvents } from '../log/reading.ts';
import { assertFollows, assertIntact, startOf } from '../runtime/intact.ts';
import { type Loaded, notFolded, orUnreadable, unknownTo } from '../runtime/load.ts';

export type Footprinted = { readonly kind: 'found'; readonly footprints: Footprints } | Exclude<Loaded, { kind: 'loaded' }>;

/**
 * Where a run has been on its chart, up to a version or to its head. Throws a `LogError` where the log is not what was
 * written.
 */
export async function readFootprints(
  log: Log,
  run: string,
  at?: number,
  machines: readonly CatalogueEntry[] = catalogue,
): Promise<Footprinted> {
  await assertIntact(log, run);
  return orUnreadable(log, run, machines, () => walked(log, run, at, machines));
}

async function walked(log: Log, run: string, at: number | undefined, machines: readonly CatalogueEntry[]): Promise<Footprinted> {
  let footprints: Footprints | null = null;
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
      footprints = new Footprints(opened.state);
    }
  }
  if (!footprints) return { kind: 'unknown_run', run };
  const { version } = footprints.state;
  return at === undefined || version === at ? { kind: 'found', footprints } : { kind: 'no_such_version', head: version };
}
