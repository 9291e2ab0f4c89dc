import type { CatalogueEntry } from '../../machines/index.ts';
import type { Log } from '../log/log.ts';
import { unreadableSentence } from '../log/unreadable.ts';
import type { RunState } from './fold.ts';
import { type NotFolded, rebuild } from './load.ts';

/** Why a run cannot be taken up: it, or a run below it that would be taken up with it, cannot be folded. Null where all can. */
export async function unfoldable(log: Log, run: string, machines: readonly CatalogueEntry[]): Promise<NotFolded | null> {
  const loaded = await rebuild(log, run, undefined, machines);
  if (loaded.kind === 'unknown_machine' || loaded.kind === 'unreadable') return loaded;
  return loaded.kind === 'loaded' ? unfoldableBelow(log, run, loaded.state, machines) : null;
}

/** The same of the runs that a run waits for. */
export async function unfoldableBelow(
  log: Log,
  run: string,
  { outstanding }: RunState,
  machines: readonly CatalogueEntry[],
): Promise<NotFolded | null> {
  for (const { effect } of outstanding) {
    const child = await log.findByParentEffect(`${run}/${effect}`);
    const found = child && (await unfoldable(log, child.run, machines));
    if (found) return found;
  }
  return null;
}

/** Why it cannot be folded, and what to do. */
export function notFoldedSentence(notFolded: NotFolded, run: string): string {
  if (notFolded.kind === 'unreadable') return unreadableSentence(notFolded);
  const { machine, known, because = `this version knows ${known.join(', ')}`, remedy = 'Use the version that wrote it' } = notFolded;
  return `run ${run} was written by ${machine}, and ${because}. ${remedy}.`;
}
