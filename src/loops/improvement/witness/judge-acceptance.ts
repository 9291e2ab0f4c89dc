import type { AcceptanceTest } from '../../../../machines/improvement-facts.ts';
import type { ReportedTests } from '../../../evidence/tests-of-checks.ts';
import { compareTests } from '../../../evidence/compare-tests.ts';
import { evaded } from '../../../evidence/control/judge-control.ts';
import { hasTest, testsByFile } from '../../../evidence/control/test-file.ts';
import { keyOf, type TestResult } from '../../../evidence/test-list.ts';
import { excerptOfLines } from '../../../text/excerpt.ts';
import { plain } from '../../../text/one-line.ts';

/** An error that is no assertion, by the name that reporters write before its message. */
const OTHER_ERROR =
  /^(?!Assert|Jest)(?:[\w.]+\.)?(?:[A-Z]\w*)?(?:Error|Exception|Exit|Interrupt|Timeout|TimeoutExpired|StopIteration|Warning)(?: \[[^\]]*\])?(?::|$)/;
/** As jest prints what its own expectations say. */
const EXPECTATION = /^Error: (?=expect\()/;
/** Go and Rust: the test came to no assertion. */
const PANIC = /^panic: |\bpanicked at\b(?![\s\S]*assert)/;
/** Errors of loading and of the system, where no name is written before them. */
const LOADING =
  /^(?:E[A-Z]{3,}: |cannot find (?:module|package)|failed to (?:load|resolve)|no module named|fixture '[^']*' not found|the requested module)/i;

/**
 * Tells whether a test failed in an assertion, going by what its runner says of it, and not because something is
 * missing, cannot be loaded, or throws.
 *
 * @example
 * isAssertion('Expected values to be strictly equal:\n\n1 !== 2'); // true
 * isAssertion('TypeError: retry is not a function'); // false
 */
export function isAssertion(message: string): boolean {
  const said = message.trim().replace(EXPECTATION, '');
  return !OTHER_ERROR.test(said) && !PANIC.test(said) && !LOADING.test(said);
}

/** A written test, and the tests of the head without it. */
interface Written {
  readonly path: string;
  readonly text: string;
  readonly before: ReportedTests;
}

/** The test as it is recorded, or why it shows nothing: the end of a sentence that begins with its path. */
export type JudgedAcceptance = { readonly test: AcceptanceTest } | { readonly refused: string };

const MAX_MESSAGE_CHARS = 300;
/** The end of the output of a test that does not load: its planner may write it anew. */
const MAX_PRINTED_CHARS = 800;
const MAX_TESTS = 50;

/**
 * Judges a test that was written before the work by its run on the head: at least one of its tests has to fail there,
 * each that fails in an assertion, and what the head has passes as it did. `printed`: its output.
 */
export function judgeAcceptance(written: Written, ran: ReportedTests, printed = ''): JudgedAcceptance {
  const { path, text, before } = written;
  const own = testsOf(written, ran);
  if (own.length === 0) return { refused: 'is taken by no runner of the checks' };
  const broken = own.find(({ test: { name, result } }) => name === '' && result === 'failed');
  const end = excerptOfLines(plain(printed), MAX_PRINTED_CHARS).trim();
  if (broken) return { refused: `does not load on the head: ${end || said(broken.test)}` };
  const red = own.filter(({ test }) => test.result === 'failed');
  const [one] = red;
  if (!one) return { refused: 'passes on the head, so it shows nothing' };
  const other = red.find(({ test }) => !isAssertion(test.message ?? ''));
  if (other) return { refused: `fails on the head by an error, and in no assertion: ${said(other.test)}` };
  const [lost] = [...before].flatMap(([check, list]) => compareTests(list, ran.get(check) ?? null).lost);
  if (lost) return { refused: `breaks a test that is there: ${lost.test.name}` };
  const { check } = one;
  if (compareTests(before.get(check) ?? null, ran.get(check) ?? null).reportMissing)
    return { refused: 'keeps its runner from reporting all tests' };
  const named = (result: TestResult['result']) =>
    own
      .filter((each) => each.check === check && each.test.result === result)
      .slice(0, MAX_TESTS)
      .map(({ test: { file, name, occurrence } }) => ({ file, name, occurrence }));
  return { test: { path, text, check, red: named('failed'), green: named('passed') } };
}

/**
 * Judges the same test by a second run, with tests that must fail in its file, and without the comment that asks for
 * the work. Null: all of them fail. `labels`: parts of the names of those that must.
 */
export function whyNotSteady(
  written: Written,
  { red }: Pick<AcceptanceTest, 'red'>,
  { ran, labels }: { readonly ran: ReportedTests; readonly labels: readonly string[] },
): string | null {
  const again = new Map(testsOf(written, ran).map(({ test }) => [keyOf(test), test.result]));
  const turned = red.find((test) => again.get(keyOf(test)) !== 'failed');
  if (turned) return `passes without the work: ${turned.name}`;
  const { path } = written;
  const all = [...ran.values()].flatMap(({ tests }) => tests);
  return evaded([{ path, labels, pairs: [] }], all).length > 0
    ? 'is no proof: tests that must fail do not fail in its file'
    : null;
}

interface OwnTest {
  readonly check: string;
  readonly test: TestResult;
}

/** Tests of the file: by the file that a runner names, and where it names none, those that were not there before. */
function testsOf({ path, text, before }: Written, ran: ReportedTests): readonly OwnTest[] {
  return [...ran].flatMap(([check, { tests }]) => {
    const known = new Set(before.get(check)?.tests.map(keyOf));
    const own =
      testsByFile(tests, [path])
        .get(path)
        ?.filter((test) => hasTest(path, text, test)) ?? [];
    const unplaced = tests.filter((test) => test.file === null && !known.has(keyOf(test)));
    return [...own, ...unplaced].map((test) => ({ check, test }));
  });
}

const said = ({ name, message = '' }: TestResult): string =>
  `${name === '' ? '' : `${name}: `}${message.trim().slice(0, MAX_MESSAGE_CHARS).toWellFormed()}`;
