import { counted, type TestList, type TestResult, type UncountedTest } from './test-list.ts';

// CTest has no report of single tests but a flag, and what it prints: the folder of the build, each test with its
// result, and how many passed and failed. A disabled test is in no count.

const BEGUN = /^Test project \S/;
const TEST = /^ *\d+\/\d+ Test +#(\d+): (.+?) \.+ *(?:Passed|\*\*\*([A-Z].*?)) +\d+\.\d+ sec *$/;
const ENDED = /^\d+% tests passed, (\d+) tests? failed out of (\d+)\s*$/;
const NONE = /^No tests were found!!!/;
const DISABLED = 'Not Run (Disabled)';

interface CtestRun {
  /** By number: a test that runs again counts as it went last. */
  readonly tests: Map<string, UncountedTest>;
  disabled: number;
}

/** Reads what `ctest` has printed. Null where it shows no run of CTest. */
export function readCtest(text: string): TestList | null {
  const tests: UncountedTest[] = [];
  let run: CtestRun | null = null;
  let [hasBegun, complete] = [false, true];
  const end = (counts: readonly number[] | null) => {
    if (run) tests.push(...run.tests.values());
    complete &&= run !== null && counts !== null && agrees(run, counts);
    run = null;
  };
  for (const line of text.split('\n')) {
    if (BEGUN.test(line)) {
      if (run) end(null);
      hasBegun = true;
      run = { tests: new Map(), disabled: 0 };
    }
    if (hasBegun && TEST.test(line)) {
      if (run) takeTest(run, line);
      else complete = false;
    }
    const [, failed, all] = ENDED.exec(line) ?? [];
    if (hasBegun && all !== undefined) end([Number(failed), Number(all)]);
    if (run && NONE.test(line)) end([0, 0]);
  }
  if (run) end(null);
  return hasBegun ? { tests: counted(tests), complete } : null;
}

function takeTest(run: CtestRun, line: string): void {
  const [, number = '', name = '', said] = TEST.exec(line) ?? [];
  if (said === DISABLED) run.disabled += 1;
  run.tests.set(number, { file: null, name, result: resultOf(said) });
}

/** A failure is followed by why: `Failed`, `Timeout`, `Exception: SegFault`, `Not Run`. */
function resultOf(said: string | undefined): TestResult['result'] {
  if (said === undefined) return 'passed';
  return said === DISABLED || said === 'Skipped' ? 'skipped' : 'failed';
}

function agrees({ tests, disabled }: CtestRun, [failed = 0, all = 0]: readonly number[]): boolean {
  const failures = [...tests.values()].filter(({ result }) => result === 'failed').length;
  return failures === failed && tests.size - disabled === all;
}
