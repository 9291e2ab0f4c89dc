import { counted, type TestList, type TestResult, type UncountedTest } from './test-list.ts';
import { testName } from './test-records.ts';
import { pathInside } from './workspace-paths.ts';

// The log that PHPUnit writes as it goes: a line for each thing that happens.

const MESSAGE = /^##teamcity\[(\w+)((?: \w+='(?:\|.|[^'|])*')*)\]$/;
const ATTRIBUTE = /(\w+)='((?:\|.|[^'|])*)'/g;
const PLACE = /^php_qn:\/\/(.*?)::\\?(.+?)::/;
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r' };

interface BegunTest {
  readonly file: string | null;
  readonly name: string;
  result: TestResult['result'];
  message: string;
}

/**
 * Reads the log of one run of PHPUnit. A test that has begun and not ended has failed. The run has ended where all
 * suites that began have.
 */
export function readTeamcity(text: string, tops: readonly string[]): TestList {
  const tests: UncountedTest[] = [];
  let [suites, hasBegun] = [0, false];
  let running: BegunTest | null = null;
  const end = (result?: 'failed') => {
    if (running) tests.push(asTest(running, result));
    running = null;
  };
  for (const line of text.split('\n')) {
    const [, kind = '', rest = ''] = MESSAGE.exec(line.trimEnd()) ?? [];
    const said = kind === '' ? {} : attributesOf(rest);
    if (kind === 'testSuiteStarted') suites += 1;
    if (kind === 'testSuiteFinished') suites -= 1;
    hasBegun ||= kind === 'testSuiteStarted';
    if (kind === 'testStarted') {
      end('failed');
      running = begun(said, tops);
    }
    if (running && (kind === 'testFailed' || kind === 'testIgnored')) takeResult(running, kind, said);
    if (kind === 'testFinished') end();
  }
  const isOpen = running !== null;
  end('failed');
  const { file = null, name = '' } = (isOpen ? tests.at(-1) : undefined) ?? {};
  return {
    tests: counted(tests),
    complete: hasBegun && suites === 0 && !isOpen,
    ...(isOpen ? { ended: [{ file, name, within: 'run' as const, said: null }] } : {}),
  };
}

function begun({ name = '', locationHint = '' }: Readonly<Record<string, string>>, tops: readonly string[]): BegunTest {
  const [, file, group = ''] = PLACE.exec(locationHint) ?? [];
  const path = group === '' ? [name] : [group, name];
  return { file: file ? pathInside(file, '/', tops) : null, name: testName(path), result: 'passed', message: '' };
}

/** PHPUnit says that a test fails, without a place, where it only finds fault with it, and exits with 0. */
function takeResult(test: BegunTest, kind: string, { message = '', details = '' }: Readonly<Record<string, string>>) {
  const isFault = kind === 'testFailed' && details.trim() !== '';
  if (test.result === 'failed') return;
  test.result = isFault ? 'failed' : 'skipped';
  test.message = message;
}

const asTest = ({ file, name, result, message }: BegunTest, forced?: 'failed'): UncountedTest => {
  const how = forced ?? result;
  return { file, name, result: how, ...(how === 'failed' && message !== '' ? { message } : {}) };
};

const attributesOf = (rest: string): Readonly<Record<string, string>> =>
  Object.fromEntries([...rest.matchAll(ATTRIBUTE)].map(([, name = '', value = '']) => [name, unescaped(value)]));

const unescaped = (value: string): string =>
  value.replace(/\|(0x([\da-fA-F]{4})|.)/g, (_all, one: string, code?: string) =>
    code === undefined ? (ESCAPES[one] ?? one) : String.fromCodePoint(Number.parseInt(code, 16)),
  );
