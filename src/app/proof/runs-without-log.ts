import { stat } from 'node:fs/promises';
import { git, type GitCall } from '../../git/process/git.ts';
import { type RunLog, runLogs } from '../../git/run-refs.ts';
import { errorCode } from '../../text/error-code.ts';
import { isKnownDead } from '../../log/holder.ts';
import { addressOf, isFileAddress } from '../../log/log-files.ts';
import type { Log } from '../../log/log.ts';
import { MEMORY } from '../../log/open-store.ts';
import type { KnownEarlier } from './run-differences.ts';

const REF = /^([\da-f]+) refs\/loopfold\/([^/]+)\/(.+)$/;
/** The moment in an id of a run: its first 48 bits, in milliseconds. */
const MOMENT = /^([\da-f]{8})-([\da-f]{4})-7/;

/**
 * Runs that git keeps something of, and that no log has: theirs is gone, or has them no more. One that another log may
 * have is not among them. A run that left no capture of its end is known by its newest one. Throws a `GitError`.
 */
export async function unloggedRuns(log: Log, call: GitCall): Promise<readonly KnownEarlier[]> {
  const kept = await refsByRun(call);
  if (kept.size === 0) return [];
  const known = new Set((await log.runs()).map(({ run }) => run));
  const unknown = [...kept.keys()].filter((run) => !known.has(run));
  const logs = await runLogs(unknown, call);
  const gone = await Promise.all(unknown.map((run) => isGone(logs.get(run), log)));
  return unknown.flatMap((run, at) => {
    const refs = kept.get(run) ?? new Map<string, string>();
    const [start, end] = [refs.get('grounds') ?? refs.get('0'), refs.get('end') ?? newestCapture(refs)];
    // One that only begins may not be in its log yet.
    if (!gone[at] || start === undefined || end === undefined) return [];
    const about = { run, createdAt: momentOf(run), forkedFrom: null, isBrought: refs.has('brought'), isLogged: false };
    return [{ ...about, start, end }];
  });
}

/** The newest capture after that of the start. */
function newestCapture(refs: ReadonlyMap<string, string>): string | undefined {
  const numbers = [...refs.keys()].map(Number).filter((number) => number > 0);
  return refs.get(String(Math.max(...numbers)));
}

async function refsByRun(call: GitCall): Promise<ReadonlyMap<string, ReadonlyMap<string, string>>> {
  const listed = await git(['for-each-ref', '--format=%(objectname) %(refname)', 'refs/loopfold/'], call);
  const found = new Map<string, Map<string, string>>();
  for (const line of new TextDecoder().decode(listed).split('\n')) {
    const [, hash = '', run = '', name = ''] = REF.exec(line) ?? [];
    if (run !== '') found.set(run, (found.get(run) ?? new Map<string, string>()).set(name, hash));
  }
  return found;
}

/** A log in memory has its runs while its process lives. */
async function isGone(named: RunLog | undefined, log: Log): Promise<boolean> {
  if (!named) return true;
  if (named.store === MEMORY) return isKnownDead(named.by);
  if (named.store === addressOf(log)) return true;
  if (!isFileAddress(named.store)) return false;
  return stat(named.store).then(
    () => false,
    (error: unknown) => errorCode(error) === 'ENOENT',
  );
}

const momentOf = (run: string): string => {
  const [, high = '0', low = '0'] = MOMENT.exec(run) ?? [];
  return new Date(Number.parseInt(high + low, 16)).toISOString();
};
