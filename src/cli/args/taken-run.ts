import type { RunRecord } from '../../log/event-store.ts';
import type { Log } from '../../log/log.ts';
import { usage } from '../pages/complaint.ts';
import type { Streams } from '../terminal/output.ts';
import { findRun, LIKE_A_RUN, type RunReference } from './find-run.ts';

interface Taking {
  readonly streams: Streams;
}

/** The run that the arguments name. Where they name none, says which one is taken. */
export async function takenRun({ streams }: Taking, log: Log, reference: RunReference): Promise<RunRecord> {
  const record = await findRun(log, reference);
  if (reference.run !== undefined || reference.last) return record;
  const why = record.closed === null && reference.meant === 'open' ? 'the one that has not ended' : 'the newest';
  streams.err.line(`no run is named: ${record.run} is taken, ${why}`);
  return record;
}

/**
 * The same for a verb with a text after the run. Throws a `Complaint` where the only argument names a run: its text was
 * forgotten, and another run would be told that id.
 */
export async function takenRunFor(text: string, taking: Taking, log: Log, reference: RunReference): Promise<RunRecord> {
  const isAlone = reference.run === undefined && !reference.last;
  if (isAlone && LIKE_A_RUN.test(text) && (await findRun(log, { run: text, last: false }).catch(() => null)))
    throw usage('TEXT', 'words, or - to read them from stdin', `only '${text}', which is a run`);
  return takenRun(taking, log, reference);
}
