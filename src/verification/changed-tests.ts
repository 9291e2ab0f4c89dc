import { textOf } from '../git/worktree/proof-repository.ts';
import type { ReportedTests } from '../evidence/checked-tests.ts';
import { mayHaveTests, testsWithin } from '../evidence/tests-in-sources.ts';
import type { NamedEntry } from './base-grounds.ts';
import type { PreparedLegs } from './prepared-legs.ts';

/**
 * The files that are no grounds, in which tests of the base lie, and whose tests are others in the first leg. One that
 * cannot be read as text is taken for such a file. `grounds`: all of them, also those whose changes count. Throws a
 * `GitError`.
 */
export async function changedTests(
  { plan: { base, trees }, call }: Pick<PreparedLegs, 'plan' | 'call'>,
  grounds: ReadonlySet<string>,
  reported: ReportedTests,
): Promise<readonly string[]> {
  const [first] = trees;
  const mayHave = mayHaveTests(reported);
  const changed = [...base].filter(
    ([path, before]) => !grounds.has(path) && first.get(path)?.hash !== before.hash && mayHave(path),
  );
  const found: string[] = [];
  for (const [path, before] of changed) {
    const after = first.get(path);
    const [was, is] = await Promise.all([within(path, before), after ? within(path, after) : '']);
    if (was === null || was !== is) found.push(path);
  }
  return found.toSorted();

  async function within(path: string, { hash }: NamedEntry): Promise<string | null> {
    const text = await textOf(hash, call);
    return text === null ? null : testsWithin(path, text);
  }
}
