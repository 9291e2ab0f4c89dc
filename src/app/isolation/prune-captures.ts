import { allRunRefs, removeRefs } from '../../git/worktree/remove-worktree.ts';
import { captureNumberOf } from '../../git/run-refs.ts';
import type { RunRecord } from '../../log/event-store.ts';
import type { Log } from '../../log/log.ts';
import { readableFacts } from '../../projections/read-summary.ts';
import { prunableFamilies, prunableNumbers } from './prunable-captures.ts';

interface PruneHow {
  /** The git directory. */
  readonly repository: string;
  readonly isDryRun: boolean;
  readonly now: number;
  readonly olderThanMs?: number | undefined;
}

/** How many captures were removed, of how many runs. */
export interface Pruned {
  readonly captures: number;
  readonly runs: number;
}

type RefsByRun = ReadonlyMap<string, ReadonlyMap<number, string>>;

/**
 * Removes captures between start and end of runs of this log that have ended long ago: git then removes their files
 * when it collects its own garbage. Runs that the log does not have are not touched. Throws a `GitError`.
 */
export async function pruneCaptures(log: Log | null, { repository, isDryRun, ...how }: PruneHow): Promise<Pruned> {
  if (log === null) return { captures: 0, runs: 0 };
  const refs = await capturesIn(repository);
  const gone: string[] = [];
  let runs = 0;
  for (const family of prunableFamilies(await log.runs(), how))
    for (const found of await goneOf(family, refs, log)) {
      gone.push(...found);
      runs += 1;
    }
  if (!isDryRun) await removeRefs(gone, repository);
  return { captures: gone.length, runs };
}

/** Of each run that has some: the refs that can go. */
async function goneOf(
  family: readonly RunRecord[],
  refs: RefsByRun,
  log: Log,
): Promise<readonly (readonly string[])[]> {
  const captured = family.flatMap(({ run }) => refs.get(run) ?? []);
  if (!captured.some((byNumber) => prunableNumbers([...byNumber.keys()], new Set()).length > 0)) return [];
  const accepted = await acceptedIn(family, log);
  const found = captured.map((byNumber) => {
    const kept = new Set([...byNumber].flatMap(([number, ref]) => (accepted.has(ref) ? [number] : [])));
    return prunableNumbers([...byNumber.keys()], kept).flatMap((number) => byNumber.get(number) ?? []);
  });
  return found.filter((some) => some.length > 0);
}

/** The refs of results that were accepted although checks failed: people are told to take the files from there. */
async function acceptedIn(family: readonly RunRecord[], log: Log): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for (const { run } of family.filter((record) => record.root === record.run))
    for await (const { type, payload } of readableFacts(log, run)) {
      const ref = type === 'decision.made' && payload.sink?.ending === 'success' ? payload.sink.accepted?.ref : null;
      if (ref) found.add(ref);
    }
  return found;
}

async function capturesIn(repository: string): Promise<RefsByRun> {
  const byRun = new Map<string, Map<number, string>>();
  for (const { run, ref } of await allRunRefs(repository)) {
    const number = captureNumberOf(ref);
    if (number === null) continue;
    const known = byRun.get(run) ?? new Map<number, string>();
    byRun.set(run, known.set(number, ref));
  }
  return byRun;
}
