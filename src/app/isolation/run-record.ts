import type { Isolation, RunSettings } from '../../../machines/settings.ts';
import { readableRecord, storeFileOf, type WorktreeRecord, writeRecord } from '../../git/worktree/worktree-record.ts';
import { isThere, placeAt } from '../../git/worktree/worktree-place.ts';
import { thisProcess } from '../../log/holder.ts';
import { addressOf } from '../../log/log-files.ts';
import type { Log } from '../../log/log.ts';

/** The record of a worktree, by the settings of a run that works in it, with this process as its user. */
export const runRecord = (
  log: Pick<Log, 'store'>,
  run: string,
  { origin, repository, dependencies }: Isolation,
): WorktreeRecord => ({
  run,
  origin,
  repository,
  store: addressOf(log),
  ...storeFileOf(addressOf(log)),
  by: thisProcess(),
  since: new Date().toISOString(),
  state: 'ready',
  leaveOut: dependencies.flatMap(({ path, by }) => (by === 'link' ? [path] : [])),
});

/** Writes the record of a run's worktree again where it was lost: without it there is no capture. */
export async function mendRecord(log: Pick<Log, 'store'>, run: string, { isolation }: RunSettings): Promise<void> {
  if (!isolation || !(await isThere(isolation.top))) return;
  const place = placeAt(isolation.top);
  if (await readableRecord(place)) return;
  await writeRecord(place, runRecord(log, run, isolation));
}
