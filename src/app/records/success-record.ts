import { isFileAddress } from '../../log/log-files.ts';
import { LogError, type Log } from '../../log/log.ts';
import { assertIntact } from '../../runtime/intact.ts';
import { MEMORY, openStore } from '../../log/open-store.ts';

const SUCCESS = 'success';

/**
 * Verifies the tree of a run that has succeeded over a connection of its own, before the success is printed: what the
 * process that ran it has open may no longer be what other processes find. Throws a `LogError`. A log in memory is
 * taken as it is.
 */
export async function assertRecorded(log: Log, run: string): Promise<void> {
  if (log.store === MEMORY) return;
  await freshly(log, async (found) => {
    await assertIntact(found, run);
    if ((await found.run(run))?.closed === SUCCESS) return;
    const detail = `the success of run ${run} is not in the log any more`;
    throw new LogError('diverged', log.store, detail, 'Restore the log from a copy.');
  });
}

/** Throws a `LogError` where the tree of a run does not hold over a connection of its own, ended or not. */
export const assertIntactNow = (log: Log, run: string): Promise<void> =>
  freshly(log, (found) => assertIntact(found, run));

/**
 * Reads a log as another process would find it: over a connection of its own. One in memory has no other, and one on a
 * server is read over others than it is written.
 */
export async function freshly<Result>(log: Log, read: (found: Log) => Promise<Result>): Promise<Result> {
  if (!isFileAddress(log.store)) return read(log);
  const found = await openStore({ path: log.store }, 'read');
  try {
    return await read(found);
  } finally {
    await found.close();
  }
}
