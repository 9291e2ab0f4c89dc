import type { CheckResult, LevelResult } from '../../machines/events.ts';
import type { RecordedHeldOut } from '../../machines/recorded-proof.ts';
import type { HeldOutSettings } from '../../machines/settings.ts';
import { head } from '../text/excerpt.ts';
import type { ReportedTests } from './tests-of-checks.ts';
import type { TreeEntry } from './tree-entry.ts';
import type { TestList } from './test-list.ts';
import { foldersOf } from './workspace-paths.ts';

// Held-out checks run with files that the agent does not have. It is told how many of them fail, and where the run
// says so which, or what they print.

const HELD_OUT_CHECK = 'held-out';
const MAX_NAME_CHARACTERS = 200;
const MAX_TESTS = 20;
const NO_REPORT = 'passed without the tests that it ran before the work, or ended before all of them were reported';

/** The held-out checks on a tree. */
export interface HeldOutLeg {
  readonly checks: readonly CheckResult[];
  readonly tests: ReportedTests;
}

/** How many tests with a name each check ran; null where it wrote no whole report. */
export const ranTests = (names: readonly string[], { tests }: HeldOutLeg): (number | null)[] =>
  names.map((name) => {
    const list = tests.get(name);
    return list?.complete ? namedTests(list) : null;
  });

const namedTests = ({ tests }: TestList): number =>
  tests.filter(({ name, result }) => name !== '' && result !== 'skipped').length;

/**
 * The checks that fail on a tree. One that exits with 0 fails, too, where it ran fewer tests than `before`, or did not
 * report them to the end: the code that it tests may have ended its process.
 */
export const failingHeldOut = (
  names: readonly string[],
  leg: HeldOutLeg,
  before: readonly (number | null)[],
): readonly CheckResult[] => {
  const ran = ranTests(names, leg);
  return names.flatMap((name, index) => {
    const result = leg.checks.find((check) => check.name === name);
    if (!result) return [{ name, passed: false, output: 'was not run', exitCode: null, durationMs: 0 }];
    const [had, has] = [before[index] ?? null, ran[index] ?? null];
    if (result.passed && (had === null || (has !== null && has >= had))) return [];
    return [result.passed ? { ...result, passed: false, output: `${result.output.trimEnd()}\n${NO_REPORT}` } : result];
  });
};

/** Paths of a tree in whose place the held-out files are: the same ones, files above them, and files below them. */
export function replacedBy(paths: readonly string[], tree: ReadonlyMap<string, TreeEntry>): readonly string[] {
  const files = new Set(paths);
  const folders = new Set(paths.flatMap(foldersOf));
  return [...tree.keys()].filter(
    (path) => files.has(path) || folders.has(path) || foldersOf(path).some((folder) => files.has(folder)),
  );
}

interface Told {
  readonly recorded: RecordedHeldOut;
  readonly failing: readonly CheckResult[];
  readonly tests: ReportedTests;
  readonly tells: HeldOutSettings['tells'];
}

/** The results of the checks, with as much about held-out ones that fail as the agent may know. */
export function withHeldOut(levels: readonly LevelResult[], { recorded, failing, tests, tells }: Told): LevelResult[] {
  const last = levels.at(-1);
  if (recorded.failed === 0 || !last) return [...levels];
  const count = heldOutCount(recorded);
  const output =
    tells === 'names'
      ? [count, ...failing.flatMap((check) => namesIn(check, tests.get(check.name)))].join('\n')
      : count;
  const counted = { name: HELD_OUT_CHECK, passed: false, output, exitCode: null, durationMs: 0 };
  const whole = tells === 'all' ? failing.map((one) => ({ ...one, name: `${HELD_OUT_CHECK}: ${one.name}` })) : [];
  return [...levels.slice(0, -1), { ...last, passed: false, checks: [...last.checks, counted, ...whole] }];
}

export const heldOutCount = ({ checks, failed }: Pick<RecordedHeldOut, 'checks' | 'failed'>): string =>
  failed === 0 ? `held-out checks passed: ${checks}` : `held-out checks failed: ${failed} of ${checks}`;

/** A runner that reports to us need not print its tests in a format that is known. */
function namesIn({ name, tests }: CheckResult, listed: TestList | undefined): readonly string[] {
  const failed = listed?.tests.filter(({ name, result }) => name !== '' && result === 'failed');
  const named = (failed ?? tests?.failing ?? []).slice(0, MAX_TESTS);
  return [
    `- ${head(name, MAX_NAME_CHARACTERS)}`,
    ...named.map((test) => `  - ${head(test.name, MAX_NAME_CHARACTERS)}`),
  ];
}
