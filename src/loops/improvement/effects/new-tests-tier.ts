import { textOf } from '../../../git/object-text.ts';
import { isAddedTest, isNamedAsTest } from '../../../evidence/new-tests.ts';
import { basedOn } from '../../../evidence/base-tests.ts';
import { hasTest, testsByFile } from '../../../evidence/control/test-file.ts';
import type { TestResult } from '../../../evidence/test-list.ts';
import { isFile } from '../../../evidence/tree-entry.ts';
import { ranControl } from '../../../verification/run-control.ts';
import type { CheckedHow, RanTree } from '../../../verification/check-tree.ts';
import type { Baseline } from '../../../verification/work-proof.ts';
import type { Tier } from './candidate-tier.ts';
import type { CheckedCandidate } from './check-candidate.ts';

/** How the checks of a candidate run, and how they went on the head. */
export interface AddedHow extends CheckedHow {
  readonly baseline: Baseline;
}

const MAX_NAMED = 10;

/**
 * Whether files of tests that a candidate adds test anything, and leave the other tests as they are: each has a test
 * that ran, by the report of its runner, and with all of them tests that must fail do. Undefined: it adds none, or they
 * did not run. Null: told to stop. Throws a `GitError`.
 */
export async function addedTestsTier(checked: CheckedCandidate, how: AddedHow): Promise<Tier | null | undefined> {
  const { whole, legs } = checked;
  const added = legs.plan.changes.filter(isAddedTest).map(({ path }) => path);
  if (whole === null || added.length === 0) return undefined;
  const passed = [...whole.ran.tests.values()].flatMap(({ tests }) => tests.filter(hasPassed));
  // Where no runner names a test nothing is known of the new ones either. The grade says so.
  if (passed.length === 0) return undefined;
  const empty = await emptyAmong(added.filter(isNamedAsTest), passed, checked);
  if (empty.length > 0) return refused(`no test of these new files has run: ${listed(empty)}`);
  const broken = await brokenWith(whole.ran, checked, how);
  if (broken === null) return null;
  if (broken.length === 0) return undefined;
  return refused(`with its new tests, tests that must fail do not, in ${listed(broken)}: ${listed(added)}`);
}

const hasPassed = ({ name, result }: TestResult): boolean => name !== '' && result === 'passed';

const refused = (detail: string): Tier => ({ tier: 'grounds', kind: 'grounds', passed: false, detail });

function listed(paths: readonly string[]): string {
  const more = paths.length > MAX_NAMED ? ` and ${paths.length - MAX_NAMED} more` : '';
  return `${paths.slice(0, MAX_NAMED).join(', ')}${more}`;
}

/** Those of which no test has passed. Where a runner names no files, any new test may be of any of them. */
async function emptyAmong(
  paths: readonly string[],
  passed: readonly TestResult[],
  { legs: { plan, call } }: CheckedCandidate,
): Promise<readonly string[]> {
  if (passed.some(({ file }) => file === null)) return [];
  const [, work] = plan.trees;
  const found = testsByFile(passed, paths);
  const empty: string[] = [];
  for (const path of paths) {
    const entry = work.get(path);
    const text = isFile(entry) ? await textOf(entry.hash, call) : null;
    if (!found.get(path)?.some((test) => hasTest(path, text ?? '', test))) empty.push(path);
  }
  return empty;
}

/** The control of a proof, on the candidate as it is: new tests may share a process with those that are there. */
async function brokenWith(
  { tests }: RanTree,
  { legs }: CheckedCandidate,
  how: AddedHow,
): Promise<readonly string[] | null> {
  const [, work] = legs.plan.trees;
  const start = basedOn(how.baseline.tests);
  const all = [...tests].map(([check, list]) => ({
    check,
    passed: true,
    reported: true,
    turned: list.tests.filter(hasPassed),
    kept: 0,
    stillRed: [],
    fresh: [],
    lost: [],
    zero: false,
    reportMissing: false,
  }));
  const control = await ranControl(
    { ...legs, plan: { ...legs.plan, trees: [work, work] } },
    { ...how, tests: all, start },
  );
  return control && control.broken;
}
