import type { TestedLeg } from './tests-of-checks.ts';
import { compareTests } from './compare-tests.ts';
import { keyOf } from './test-list.ts';

/** What passes in another leg of the same tree and failed in this one: checks, and tests of them, each as a text. */
export function curedIn(red: TestedLeg, other: TestedLeg): ReadonlySet<string> {
  const failed = new Set(red.checks.flatMap(({ name, passed }) => (passed ? [] : [name])));
  const cured = other.checks.filter(({ name }) => failed.has(name)).flatMap((check) => curedOf(check, red, other));
  return new Set(cured);
}

function curedOf({ name, passed }: TestedLeg['checks'][number], red: TestedLeg, other: TestedLeg): readonly string[] {
  const { turned, fresh } = compareTests(red.tests.get(name) ?? null, other.tests.get(name) ?? null);
  const tests = [...turned, ...fresh.filter(({ result }) => result === 'passed')];
  return [
    ...(passed ? [nameOf({ check: name })] : []),
    ...tests.map((test) => nameOf({ check: name, test: keyOf(test) })),
  ];
}

const nameOf = (cured: { readonly check: string; readonly test?: string }): string => JSON.stringify(cured);

/** The names of the checks that these belong to. */
export const checksCured = (cured: ReadonlySet<string>): readonly string[] => [
  ...new Set([...cured].map((text) => (JSON.parse(text) as { check: string }).check)),
];
