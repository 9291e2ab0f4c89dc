import type { Log, RunRecord } from '../log/log.ts';
import { usage } from './complaint.ts';

export interface RunReference {
  /** An id, or a beginning or an end of one. */
  readonly run: string | undefined;
  /** The newest run of the log. */
  readonly last: boolean;
}

const SHORTEST = 4;
const SHOWN = 8;
const MAX_CANDIDATES = 5;

/** How a run is called where space is short. Ids begin with their time, so it is the end that tells them apart. */
export const shortId = (run: string): string => run.slice(-SHOWN);

/** The run that a person means. Throws a `Complaint` where there is none, or more than one. */
export async function findRun(log: Log, { run, last }: RunReference): Promise<RunRecord> {
  if (run === undefined || last) return newest(log, run);
  const exact = await log.run(run);
  if (exact) return exact;
  const known = run.length < SHORTEST ? [] : (await log.runs()).filter((one) => one.run.startsWith(run) || one.run.endsWith(run));
  const [only, ...more] = known;
  if (only && more.length === 0) return only;
  if (!only) throw usage('RUN', `the id of a run, or ${SHORTEST} or more characters it begins or ends with`, `'${run}'`, ['runs']);
  const candidates = known.slice(0, MAX_CANDIDATES).map((one) => one.run);
  throw usage('RUN', `an id that only one run has (${candidates.join(', ')}${more.length >= MAX_CANDIDATES ? ', …' : ''})`, `'${run}'`, ['runs']);
}

async function newest(log: Log, run: string | undefined): Promise<RunRecord> {
  if (run !== undefined) throw usage('RUN', 'either RUN or --last', `'${run}' and --last`);
  const found = (await log.runs()).findLast(({ parentEffect }) => parentEffect === null);
  if (!found) throw usage('RUN', 'a run; this log has none yet', 'nothing', ['run', '--help']);
  return found;
}
