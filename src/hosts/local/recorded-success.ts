import { isFileAddress } from '../../log/log-files.ts';
import { LogError } from '../../log/errors.ts';
import type { Log } from '../../log/log.ts';
import { assertIntact } from '../../runtime/intact.ts';
import { openStore } from './store.ts';

const SUCCESS = 'success';

/**
 * Verifies the tree of a run that has succeeded over a connection of its own, before the success is printed: what the
 * process that ran it has open may no longer be what other processes find. Throws a `LogError`. A log in memory is
 * taken as it is.
 */
export async function assertRecorded(log: Log, run: string): Promise<void> {
  if (!isFileAddress(log.store)) return;
  const found = await openStore({ path: log.store }, 'read');
  try {
    await assertIntact(found, run);
    if ((await found.run(run))?.closed === SUCCESS) return;
    const detail = `the success of run ${run} is not in the log any more`;
    throw new LogError('diverged', log.store, detail, 'Restore the log from a copy.');
  } finally {
    await found.close();
  }
}
