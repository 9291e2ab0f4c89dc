import type { EventStore, RunRecord } from '../../log/event-store.ts';
import { runsNamed, SHORTEST_NAME_CHARS } from '../../app/views/run-named.ts';
import { usage } from '../pages/complaint.ts';
import type { Log } from '../../log/log.ts';
import type { Streams } from '../terminal/output.ts';

export interface RunReference {
  /** An id, or a beginning or an end of one. */
  readonly run: string | undefined;
  /** The newest run of the log. */
  readonly last: boolean;
  /** Where no run is named: one that can continue, if the log has any. */
  readonly isToContinue?: boolean;
  /**
   * Where no run is named: the newest, or the one that has not ended. It is refused where another one may be meant,
   * because it has not ended either.
   */
  readonly meant?: 'newest' | 'open';
}

/** As much of a log as finding a run takes. */
type Listing = Pick<EventStore, 'run' | 'runs' | 'newest'>;

const SHOWN = 8;
const MAX_CANDIDATES = 5;
/** A text that can be an id, or a part of one. */
export const LIKE_A_RUN = new RegExp(`^[0-9a-f-]{${SHORTEST_NAME_CHARS},}$`);

/** A run's id where space is short. Ids begin with their time, so their ends differ. */
export const shortId = (run: string): string => run.slice(-SHOWN);

/** The run that the arguments name. Throws a `Complaint` if no run or several match. */
export async function findRun(log: Listing, reference: RunReference): Promise<RunRecord> {
  const meant = await meantBy(log, reference);
  // A list does not look at where its runs belong.
  return (await log.run(meant.run)) ?? meant;
}

async function meantBy(log: Listing, { run, last, isToContinue = false, meant: which }: RunReference) {
  if (run === undefined && !last && which !== undefined) return onlyOne(log, which);
  if (run === undefined || last) return newest(log, run, isToContinue);
  const meant = await runsNamed(log, run);
  const [only, ...more] = meant;
  if (only && more.length === 0) return only;
  const expected = only
    ? oneOf(meant)
    : `the id of a run, or ${SHORTEST_NAME_CHARS} or more characters it begins or ends with`;
  throw usage('RUN', expected, `'${run}'`, ['runs']);
}

/** The newest run that has not ended. */
export async function newestOpen(log: Pick<Listing, 'runs'>): Promise<RunRecord | null> {
  return (await log.runs()).findLast(({ parentEffect, closed }) => parentEffect === null && closed === null) ?? null;
}

async function onlyOne(log: Listing, which: 'newest' | 'open'): Promise<RunRecord> {
  const last = await newest(log, undefined, false);
  const open = (await log.runs()).filter(({ parentEffect, closed }) => parentEffect === null && closed === null);
  const [first = last, ...others] = which === 'open' ? open : [last, ...open.filter(({ run }) => run !== last.run)];
  if (others.length === 0) return first;
  throw usage('RUN', oneOf([first, ...others], 'its id, or --last: it could be'), 'nothing', ['runs']);
}

async function newest(log: Listing, run: string | undefined, isToContinue: boolean): Promise<RunRecord> {
  if (run !== undefined) throw usage('RUN', 'either RUN or --last', `'${run}' and --last`);
  const [found] = (await log.newest(1)).runs;
  if (!found) throw usage('RUN', 'a run; this log has none yet', 'nothing', ['run', '--help']);
  // One that was aborted may have ended by an error, and continues then.
  const isOver = found.closed !== null && found.closed !== 'abort';
  return (isToContinue && isOver && (await newestOpen(log))) || found;
}

function oneOf(meant: readonly RunRecord[], what = 'more of the id: it could be'): string {
  const ids = meant.slice(0, MAX_CANDIDATES).map(({ run }) => run);
  return `${what} ${ids.join(', ')}${meant.length > ids.length ? ', …' : ''}`;
}

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
