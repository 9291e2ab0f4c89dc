import type { MissedTest } from './compare-tests.ts';
import type { TestResult } from './test-list.ts';

/**
 * Files whose lost tests all have the same names in one other file, where they are new, by the file that they were in:
 * these have moved. A person decides about them as about any lost tests.
 */
export function movedTests(lost: readonly MissedTest[], fresh: readonly TestResult[]): ReadonlyMap<string, string> {
  const newIn = namesByFile(fresh);
  const lostIn = namesByFile(lost.filter(({ how }) => how !== 'skipped').map(({ test }) => test));
  const moved = new Map<string, string>();
  for (const [from, names] of lostIn) {
    const fitting = [...newIn].filter(([, other]) => [...names].every((name) => other.has(name)));
    const [to] = fitting.toSorted(([, one], [, other]) => one.size - other.size);
    if (to && [...names].some((name) => !name.startsWith(WHOLE_FILE))) moved.set(from, to[0]);
  }
  return moved;
}

/** The file itself, which failed, has no name. */
const WHOLE_FILE = '[""';

const namesByFile = (tests: readonly TestResult[]): ReadonlyMap<string, ReadonlySet<string>> =>
  new Map(
    [...Map.groupBy(tests, ({ file }) => file)].flatMap(([file, some]) =>
      file === null
        ? []
        : [[file, new Set(some.map(({ name, occurrence }) => JSON.stringify([name, occurrence])))] as const],
    ),
  );

/**
 * Files that git shows as renamed, in a patch that looks for such.
 *
 * @example
 * renamesIn('rename from a.py\nrename to b.py\n').get('a.py'); // 'b.py'
 */
export const renamesIn = (patch: string): ReadonlyMap<string, string> =>
  new Map([...patch.matchAll(/^rename from (.+)\nrename to (.+)$/gm)].map(([, from = '', to = '']) => [from, to]));
