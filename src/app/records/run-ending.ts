import type { AppHost } from '../app-host.ts';
import { lifeOf } from '../../kernel/fold.ts';
import { rebuild } from '../../runtime/load-run.ts';

/** The ending of a run, in one word, for those who watch a worker. */
export async function endingOf(loops: Pick<AppHost, 'log' | 'definitions'>, run: string): Promise<string | null> {
  const rebuilt = await rebuild(loops.log, run, undefined, loops.definitions);
  return rebuilt.kind === 'loaded' ? (lifeOf(rebuilt.state).outcome?.ending ?? null) : null;
}
