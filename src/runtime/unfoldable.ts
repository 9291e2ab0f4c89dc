import type { CatalogueEntry } from '../../machines/index.ts';
import type { EventStore } from '../log/event-store.ts';
import type { SnapshotStore } from '../log/log.ts';
import { unreadableSentence } from '../log/unreadable.ts';
import type { RunState } from '../kernel/fold.ts';
import { type NotFolded, rebuild } from './load-run.ts';

/**
 * Why a run cannot be resumed: it, or a run below it that would be resumed with it, cannot be folded. Null where all
 * can.
 */
export async function unfoldable(
  log: EventStore & SnapshotStore,
  run: string,
  machines: readonly CatalogueEntry[],
): Promise<NotFolded | null> {
  const loaded = await rebuild(log, run, undefined, machines);
  if (loaded.kind === 'unknown_machine' || loaded.kind === 'unreadable') return loaded;
  return loaded.kind === 'loaded' ? unfoldableBelow(log, run, loaded.state, machines) : null;
}

/** The same check for the runs that a run waits for. */
export async function unfoldableBelow(
  log: EventStore & SnapshotStore,
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
  const {
    machine,
    known,
    because = `this version knows ${known.join(', ')}`,
    remedy = 'Use the version that wrote it',
  } = notFolded;
  return `run ${run} was written by ${machine}, and ${because}. ${remedy}.`;
}
