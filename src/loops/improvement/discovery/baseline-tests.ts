import { knownFlickering } from '../../../evidence/flicker-tests.ts';
import type { EventOf } from '../../../../machines/events.ts';
import type { BaseTests } from '../../../../machines/recorded-proof.ts';
import { type Found, RULE_SCORES } from './finding-facts.ts';

/** How the checks went on a tree, as a baseline records it. */
export type CheckedTree = Pick<EventOf<'baseline.taken'>['payload'], 'levels' | 'tests' | 'flickering'>;

type TestName = Pick<BaseTests['tests'][number], 'file' | 'name' | 'occurrence'>;

/**
 * The tests that fail. A test whose result differed between two runs of the same tree is left out: whether it is
 * repaired could not be told.
 */
export function failingTests(tree: CheckedTree): readonly Found[] {
  const messages = messagesOf(tree);
  const named = testsWith(tree, 'failed').map(({ check, test }) =>
    foundTest('failing-tests', { check, test, score: RULE_SCORES.failingTest, says: messages.get(test.name) }),
  );
  const whole = new Set(tree.tests.map(({ check }) => check));
  // A check whose tests are not all known by name: those that its report names.
  const reported = checksOf(tree).flatMap(({ name: check, tests }) =>
    whole.has(check) ? [] : (tests?.failing ?? []).map(({ name, message }) => ({ check, name, message })),
  );
  return [
    ...named,
    ...reported.map(({ check, name, message }) =>
      foundTest('failing-tests', {
        check,
        test: { file: null, name, occurrence: 1 },
        score: RULE_SCORES.failingTest,
        says: message,
      }),
    ),
  ];
}

/** The tests that are skipped. */
export const skippedTests = (tree: CheckedTree): readonly Found[] =>
  testsWith(tree, 'skipped').map(({ check, test }) =>
    foundTest('skipped-tests', { check, test, score: RULE_SCORES.skippedTest, says: undefined }),
  );

interface ShownTest {
  readonly check: string;
  readonly test: TestName;
  readonly score: number;
  readonly says: string | undefined;
}

function foundTest(source: 'failing-tests' | 'skipped-tests', { check, test, score, says }: ShownTest): Found {
  const { file, name, occurrence } = test;
  const is = source === 'failing-tests' ? 'fails' : 'is skipped';
  return {
    source,
    // A test without a name is its file itself, which failed to load, or outside of its tests.
    title: name === '' ? `Test file ${is}: ${file ?? check}` : `Test ${is}: ${name}`,
    summary: [
      `${namedTest(test)} ${is} (check ${check}).`,
      ...(source === 'skipped-tests' ? ['Make it run and pass.'] : []),
      ...(says ? [says] : []),
    ].join('\n'),
    score,
    identity: `${check}\n${file ?? ''}\n${name}\n#${occurrence}`,
    ...(file === null ? {} : { file }),
    check,
  };
}

function namedTest({ file, name, occurrence }: TestName): string {
  const which = occurrence > 1 ? ` (number ${occurrence} of that name)` : '';
  if (name === '') return `The test file ${file ?? 'of an unknown path'}${which}, outside of its tests,`;
  return `The test "${name}"${file === null ? '' : ` in ${file}`}${which}`;
}

function testsWith(tree: CheckedTree, result: 'failed' | 'skipped') {
  const { tests } = tree;
  const unsteady = new Set(
    knownFlickering(tree).flatMap(({ check, tests: some }) => some.map((test) => keyOf(check, test))),
  );
  return tests.flatMap(({ check, tests: all }) =>
    all.filter((test) => test.result === result && !unsteady.has(keyOf(check, test))).map((test) => ({ check, test })),
  );
}

const keyOf = (check: string, { file, name, occurrence }: TestName): string =>
  JSON.stringify([check, file, name, occurrence]);

export const checksOf = ({ levels }: Pick<CheckedTree, 'levels'>) => levels.flatMap(({ checks }) => checks);

const messagesOf = (tree: CheckedTree): ReadonlyMap<string, string> =>
  new Map(
    checksOf(tree)
      .flatMap(({ tests }) => tests?.failing ?? [])
      .map(({ name, message }) => [name, message]),
  );
