import type { RunRecord } from '../../log/event-store.ts';

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
