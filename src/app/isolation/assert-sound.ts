import { LogError, type Log } from '../../log/log.ts';

/**
 * Throws a `LogError` where a log is not what was written into it: what it says of runs that are gone, or have ended,
 * is no reason to remove anything.
 */
export async function assertSound(log: Log): Promise<void> {
  for (const { run } of await log.runs()) {
    const verified = await log.verify(run);
    if (verified.kind === 'intact') continue;
    const because = verified.kind === 'broken' ? `version ${verified.version}: ${verified.reason}` : 'it has no events';
    throw damaged(log, `run ${run}: ${because}`, 'Restore the log from a copy.');
  }
  const [first] = await log.audit();
  if (first) throw damaged(log, `${first.place}: ${first.reason}`, first.remedy);
}

const damaged = ({ store }: Log, detail: string, remedy: string) =>
  new LogError('damaged', store, `nothing was removed, because the log is damaged (${detail})`, remedy);
