import type { TestedLeg } from './tests-of-checks.ts';
import type { Ground } from './classify-grounds.ts';

// Where a runner names no file of its tests, grounds are known by conventions alone. Of an ecosystem that no convention
// knows, the work may have changed its tests as if they were sources.

/** Files of languages whose tests have conventions, and what is no code. */
const KNOWN = new RegExp(
  `\\.(?:${[
    '[cm]?[jt]sx?|vue|svelte|astro|css|s[ac]ss|less|html?',
    'pyi?|go|rs|c|h|cc|hh|cpp|hpp|cxx|hxx|java|kts?|scala|groovy|cs|php|swift|rb|dart|exs?|pl|pm|sh|bash',
    'md|mdx|rst|adoc|png|jpe?g|gif|svg|ico|webp|pdf|woff2?|lock|sum',
  ].join('|')})$|(?:^|/)(?:LICEN[CS]E|NOTICE|AUTHORS|CODEOWNERS|[\\w-]+-lock\\.(?:json|yaml))$`,
  'i',
);

const HOLD_TESTS: ReadonlySet<Ground['reason']> = new Set(['test-folder', 'test-file', 'protect', 'named']);

/** The places where a project is known to have its tests. */
export interface TestPlaces {
  /** A ground of the base may hold tests. */
  readonly tests: boolean;
  /** A ground of the base is a program that a check runs. */
  readonly programs: boolean;
}

/** Says where the tests of a project may be, from the grounds among its files. */
export function testPlaces(
  grounds: ReadonlyMap<string, Pick<Ground, 'reason'>>,
  base: { readonly has: (path: string) => boolean },
): TestPlaces {
  const reasons = new Set([...grounds].flatMap(([path, { reason }]) => (base.has(path) ? [reason] : [])));
  return { tests: [...reasons].some((reason) => HOLD_TESTS.has(reason)), programs: reasons.has('check') };
}

/**
 * The checks of a leg that run what they check, and whose tests may be in files that the work has changed: they name no
 * file, and no ground is known to hold tests. `changed`: files that are no grounds.
 *
 * @example
 * unplacedChecks(leg, new Set(), { tests: false, programs: true }, ['spec/sums.janet']);
 */
export function unplacedChecks(
  { checks, tests }: TestedLeg,
  reading: ReadonlySet<string>,
  places: TestPlaces,
  changed: readonly string[],
): string[] {
  const isSuspect = places.programs ? changed.some((path) => !KNOWN.test(path)) : changed.length > 0;
  if (places.tests || !isSuspect) return [];
  return checks.flatMap(({ name }) => {
    const own = tests.get(name)?.tests ?? [];
    return own.length > 0 && own.every(({ file }) => file === null) && !reading.has(name) ? [name] : [];
  });
}
