import type { GitCall } from '../../git/process/git.ts';
import { startsAndEnds } from '../../git/run-refs.ts';
import {
  type ChangedSince,
  changedSinceRuns,
  type EarlierEntry,
  leftByRuns,
} from '../../evidence/grounds-of-earlier.ts';
import type { TreeEntry } from '../../evidence/tree-entry.ts';
import type { RunRecord } from '../../log/event-store.ts';
import type { Log } from '../../log/log.ts';
import { differencesOf, type Earlier, type KnownEarlier, type Looking, withRulings } from './run-differences.ts';
import { unloggedRuns } from './runs-without-log.ts';

/** Older ones of the log are not asked for, so that a long log costs no more than a short one. */
const MAX_LISTED = 200;
/** So many of this repository are looked at. */
const MAX_LOOKED_AT = 50;
const AT_ONCE = 8;

export interface FoundEarlier {
  /** By name as git has it, each byte one character. */
  readonly left: ReadonlyMap<string, EarlierEntry<TreeEntry>>;
  /** What they changed, and others have since: it is neither what they left nor what was there before. */
  readonly since: ReadonlyMap<string, ChangedSince<TreeEntry>>;
  /** Runs of which it is not known what they began with or left: git has those trees no more. */
  readonly unread: readonly string[];
  /** Runs that git alone has, and not the log. */
  readonly unlogged: readonly string[];
}

const NOTHING_KEPT = { start: null, end: null, isBrought: false };

/**
 * What earlier runs of this log have left in the workspace, and no person has approved or changed since. The log says
 * what the checks of a run went by; what git keeps says what a run without them found. One that left no capture of its
 * end, as where it was killed, has left the workspace as it is. Throws a `GitError`.
 */
export async function leftByEarlier(looking: Looking): Promise<FoundEarlier> {
  const { log, run, call } = looking;
  const logged = await newestRuns(log);
  const kept = await startsAndEnds(
    logged.map((record) => record.run),
    call,
  );
  const unlogged = await unloggedRuns(log, call);
  const newest: readonly KnownEarlier[] = [
    ...logged.map((record) => ({ ...record, ...NOTHING_KEPT, ...kept.get(record.run), isLogged: true })),
    ...unlogged,
  ].filter((record) => record.run !== run);
  const found: (Earlier | string)[] = [];
  const listed = newestFirst(newest);
  for (let from = 0; from < listed.length && found.length < MAX_LOOKED_AT; from += AT_ONCE) {
    const looks = await Promise.all(listed.slice(from, from + AT_ONCE).map((record) => differencesOf(record, looking)));
    found.push(...looks.filter((one) => one !== null));
  }
  const runs = found.filter((one) => typeof one !== 'string');
  const about = {
    unread: found.filter((one) => typeof one === 'string'),
    unlogged: newestFirst(unlogged).map((record) => record.run),
  };
  const [left, since] = [leftByRuns(runs), changedSinceRuns(runs)];
  if (left.size === 0 && since.size === 0) return { left, since, ...about };
  const involved = new Set([...left.values(), ...since.values()].flatMap(({ by }) => by));
  const ruled = await Promise.all(runs.map((one) => (involved.has(one.run) ? withRulings(one, looking) : one)));
  return { left: leftByRuns(ruled), since: changedSinceRuns(ruled), ...about };
}

const newestFirst = <Known extends Pick<KnownEarlier, 'createdAt'>>(runs: readonly Known[]): readonly Known[] =>
  runs.toSorted((one, other) => (one.createdAt < other.createdAt ? 1 : -1)).slice(0, MAX_LISTED);

/** The newest runs of a log that no other run has started. */
export async function newestRuns(log: Log): Promise<readonly RunRecord[]> {
  const roots = (await log.runs()).filter(({ parentEffect }) => parentEffect === null);
  return newestFirst(roots);
}

/** What the newest run of this repository has left. Null: none is known. */
export async function newestEnd(log: Log, call: GitCall): Promise<string | null> {
  const known = await newestRuns(log);
  const kept = await startsAndEnds(
    known.map(({ run }) => run),
    call,
  );
  const ends = known.map((one) => ({ ...one, end: kept.get(one.run)?.end ?? null }));
  return newestFirst([...ends, ...(await unloggedRuns(log, call))]).find(({ end }) => end !== null)?.end ?? null;
}
