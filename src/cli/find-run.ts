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
  const isMeant = ({ run: id }: RunRecord) => id.startsWith(run) || id.endsWith(run);
  const meant = run.length < SHORTEST ? [] : (await log.runs()).filter(isMeant);
  const [only, ...more] = meant;
  if (only && more.length === 0) return only;
  const expected = only ? oneOf(meant) : `the id of a run, or ${SHORTEST} or more characters it begins or ends with`;
  throw usage('RUN', expected, `'${run}'`, ['runs']);
}

async function newest(log: Log, run: string | undefined): Promise<RunRecord> {
  if (run !== undefined) throw usage('RUN', 'either RUN or --last', `'${run}' and --last`);
  const found = (await log.runs()).findLast(({ parentEffect }) => parentEffect === null);
  if (!found) throw usage('RUN', 'a run; this log has none yet', 'nothing', ['run', '--help']);
  return found;
}

function oneOf(meant: readonly RunRecord[]): string {
  const ids = meant.slice(0, MAX_CANDIDATES).map(({ run }) => run);
  return `more of the id: it could be ${ids.join(', ')}${meant.length > ids.length ? ', …' : ''}`;
}
