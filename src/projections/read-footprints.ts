import { catalogue, type CatalogueEntry } from '../../machines/index.ts';
import { Footprints } from '../charts/footprints.ts';
import type { Log } from '../log/log.ts';
import { open } from '../runtime/fold.ts';
import { assertFollows, assertIntact } from '../runtime/intact.ts';
import { type Loaded, unknownTo } from '../runtime/load.ts';
import { factOf } from './fact.ts';

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
  let footprints: Footprints | null = null;
  for await (const envelope of log.read(run, at === undefined ? {} : { to: at })) {
    assertFollows(run, footprints?.state.version ?? 0, envelope.version);
    const fact = factOf(envelope);
    if (footprints) {
      const unknown = unknownTo(footprints.state, fact, machines);
      if (unknown) return unknown;
      footprints.observe(fact);
    } else if (fact.type === 'run.started') {
      const opened = open(fact, machines);
      if (opened.kind !== 'opened') return opened;
      footprints = new Footprints(opened.state);
    }
  }
  if (!footprints) return { kind: 'unknown_run', run };
  const { version } = footprints.state;
  return at === undefined || version === at ? { kind: 'found', footprints } : { kind: 'no_such_version', head: version };
}
