import type { CheckResult, LevelResult } from '../../../../machines/events.ts';
import type { FlickeringTests } from '../../../../machines/recorded-proof.ts';
import type { ReportedTests } from '../../../evidence/tests-of-checks.ts';
import { compareTests, type MissedTest } from '../../../evidence/compare-tests.ts';
import { withoutFlickering } from '../../../evidence/flicker-tests.ts';
import { keyOf, type TestResult } from '../../../evidence/test-list.ts';
import { hasGap } from '../../../log/gap.ts';

/** How the checks went on a tree. */
export interface CheckedTree {
  readonly levels: readonly LevelResult[];
  readonly tests: ReportedTests;
}

/** Something that a candidate has made worse than it is on the head. */
export interface Loss {
  readonly level: string;
  readonly check: string;
  /** Equal for the same loss in two runs of the checks. */
  readonly key: string;
  /** For people and models. */
  readonly text: string;
}

/** Fingerprints of what a compiler or linter has printed, with a text for each. Empty: the check is neither. */
export type FindingsOf = (check: CheckResult) => ReadonlyMap<string, string>;

interface Compared {
  readonly head: CheckedTree;
  readonly candidate: CheckedTree;
  /** Tests that differ from run to run on the head: they are never lost. */
  readonly flickering: readonly FlickeringTests[];
  readonly findingsOf: FindingsOf;
}

/**
 * What a candidate loses against the head, which may itself be red: a check that passed, a test that passed, was
 * skipped or is gone, a new test that fails, a new finding of types or lint. A check that failed on the head may go on
 * failing by what failed there. Empty: nothing is lost.
 */
export function lostOnHead({ head, candidate, flickering, findingsOf }: Compared): readonly Loss[] {
  const before = new Map(head.levels.flatMap(({ checks }) => checks.map((check) => [check.name, check] as const)));
  const was = withoutFlickering(head.tests, flickering);
  const is = withoutFlickering(candidate.tests, flickering);
  return candidate.levels.flatMap(({ level, checks }) =>
    checks.flatMap((check) => {
      const on = before.get(check.name);
      const lists = { was: was.get(check.name) ?? null, is: is.get(check.name) ?? null };
      const change = compareTests(lists.was, lists.is);
      const hasReport = candidate.tests.has(check.name);
      const texts = [
        ...[...change.lost, ...change.stillRed.filter(({ how }) => how === 'gone')].map(missedText),
        ...change.fresh
          .filter(({ result }) => result === 'failed')
          .map((test) => [keyOf(test), `fails: ${nameOf(test)}`]),
        ...(hasReport && change.zero ? [['none', 'none of its tests was run']] : []),
        ...(change.reportMissing ? [['report', 'its test runner did not report all tests']] : []),
      ];
      const own = texts.length > 0 || isFlickering(check, candidate, is) ? [] : ownLoss(check, on, findingsOf);
      return [...texts, ...own].map(([key = '', text = '']) => ({
        level,
        check: check.name,
        key: JSON.stringify([check.name, key]),
        text: `${level}/${check.name}: ${text}`,
      }));
    }),
  );
}

/** What a check without tests by name has lost. */
function ownLoss(check: CheckResult, on: CheckResult | undefined, findingsOf: FindingsOf): string[][] {
  if (check.passed) return [];
  if (on?.passed !== false) return [['check', `passes on the head, and fails now: ${lastLine(check)}`]];
  if (check.exitCode === null && on.exitCode !== null) return [['check', `comes to no end now: ${lastLine(check)}`]];
  // What was cut out of the output on the head may have had any finding.
  if (hasGap(on.output)) return [];
  const known = findingsOf(on);
  return [...findingsOf(check)]
    .filter(([key]) => !known.has(key))
    .map(([key, text]) => [key, `a new finding: ${text}`]);
}

/** All its tests that failed flicker: it may pass the next time. */
function isFlickering({ name, passed }: CheckResult, { tests }: CheckedTree, steady: ReportedTests): boolean {
  const failed = (list: ReportedTests) => list.get(name)?.tests.filter(({ result }) => result === 'failed').length ?? 0;
  return !passed && failed(tests) > 0 && failed(steady) === 0;
}

const HOW = { failed: 'fails', skipped: 'is skipped now', gone: 'was not run' } as const;
const MAX_TEXT_CHARACTERS = 200;

const missedText = ({ test, how }: MissedTest): string[] => [keyOf(test), `${HOW[how]}: ${nameOf(test)}`];

const nameOf = ({ file, name }: TestResult): string =>
  [...(file === null ? [] : [file]), ...(name === '' ? [] : [name])].join(': ').slice(0, MAX_TEXT_CHARACTERS);

const lastLine = ({ output }: CheckResult): string =>
  (output.trim().split('\n').at(-1) ?? '').slice(0, MAX_TEXT_CHARACTERS).toWellFormed();
