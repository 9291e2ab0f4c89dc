import { allRunRefs, removeRefs } from '../../git/worktree/remove-worktree.ts';
import { captureNumberOf } from '../../git/run-refs.ts';
import type { RunRecord } from '../../log/event-store.ts';
import type { Log } from '../../log/log.ts';
import { readableFacts } from '../../projections/read-summary.ts';

type Known = Pick<RunRecord, 'run' | 'root' | 'forkedFrom' | 'closed' | 'updatedAt'>;

/** Captures of a success between its start and its end are kept this long after it, and after its continuations. */
export const CAPTURES_KEPT_MS = 30 * 24 * 3_600_000;

interface Pruning {
  readonly now: number;
  /** Absent: `CAPTURES_KEPT_MS`, and of runs that could be extended, all of them. */
  readonly olderThanMs?: number | undefined;
}

/**
 * The runs whose captures between start and end can go. Runs that continue one another, and those below them, are one
 * list: all of these have ended, and nothing was added to any of them for so long. What was aborted can be resumed, so
 * it is kept; and so is what ended without success, which can be extended, unless an age is asked for.
 *
 * @example
 * prunableFamilies(await log.runs(), { now: Date.now(), olderThanMs: 0 }); // all that have ended, and were not aborted
 */
export function prunableFamilies<Run extends Known>(
  runs: readonly Run[],
  { now, olderThanMs }: Pruning,
): readonly (readonly Run[])[] {
  const families = Map.groupBy(runs, familyIn(runs));
  const ageMs = olderThanMs ?? CAPTURES_KEPT_MS;
  const isOver = (family: readonly Known[]): boolean =>
    family.every(({ closed, updatedAt }) => closed !== null && now - Date.parse(updatedAt) >= ageMs) &&
    family
      .filter(({ run, root }) => run === root && !family.some(({ forkedFrom }) => forkedFrom?.run === run))
      .every(({ closed }) => closed === 'success' || (closed !== 'abort' && olderThanMs !== undefined));
  return [...families.values()].filter(isOver);
}

/** The first run that a run, or the one above it, continues. */
function familyIn(runs: readonly Known[]): (run: Known) => string {
  const known = new Map(runs.map((record) => [record.run, record]));
  const found = new Map<string, string>();
  const familyOf = (run: string): string => {
    const chain: string[] = [];
    let at = run;
    // Records that name one another in a circle are of no log that this program has written.
    for (const seen = new Set<string>(); !seen.has(at) && !found.has(at);) {
      seen.add(at);
      chain.push(at);
      const record = known.get(at);
      const next = record && (record.root === record.run ? record.forkedFrom?.run : record.root);
      if (next === undefined) break;
      at = next;
    }
    const family = found.get(at) ?? at;
    for (const one of chain) found.set(one, family);
    return family;
  };
  return ({ run }) => familyOf(run);
}

/**
 * Of the numbers of a run's captures those that can go: its start is what it is compared with, the newest stands in for
 * a lost end, and some are kept by name.
 *
 * @example
 * prunableNumbers([0, 1, 2, 3], new Set([2])); // [1]
 */
export function prunableNumbers(numbers: readonly number[], kept: ReadonlySet<number>): readonly number[] {
  const newest = Math.max(...numbers);
  return numbers.filter((number) => number > 0 && number < newest && !kept.has(number));
}

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
