import { crashLine } from './run-crash.ts';
import { counted, type TestList, type TestResult } from './test-list.ts';
import { pathInside } from './workspace-paths.ts';

const RUN = /^=== RUN +(\S+)$/;
const RESULT = /--- (PASS|FAIL|SKIP): (\S+) \(\d+\.\d+s\)$/;
const RESULTS: Readonly<Record<string, TestResult['result']>> = { PASS: 'passed', FAIL: 'failed', SKIP: 'skipped' };
/** A program that has run all its tests says this, whatever came of them. */
const OVER = /^(?:PASS|FAIL)$/;
const ENDED = /\nloopfold: exit status (\d+)\n$/;

/**
 * Reads what our script has kept of one test program of Go: the folder of its package, all that it printed, and its
 * exit status. A test that has begun and not ended has failed. A program that succeeds without saying so was cut short.
 */
export function readGoOutput(text: string, tops: readonly string[]): TestList {
  const [folder = '', ...lines] = text.split('\n');
  const results = new Map<string, TestResult['result']>();
  let last: string | null = null;
  for (const line of lines) {
    const started = RUN.exec(line)?.[1];
    if (started !== undefined) {
      results.set(started, 'failed');
      last = nameOf(started);
    }
    const [, word = '', name] = RESULT.exec(line) ?? [];
    if (name !== undefined) results.set(name, RESULTS[word] ?? 'failed');
  }
  const status = ENDED.exec(text)?.[1];
  const file = pathInside(folder, '/', tops) || '.';
  return {
    tests: counted([...results].map(([name, result]) => ({ file, name: nameOf(name), result }))),
    complete: status !== undefined && (status !== '0' || lines.includes('PASS')),
    ...(last !== null && !lines.some((line) => OVER.test(line))
      ? { ended: [{ file, name: last, within: 'file' as const, said: crashLine(text) }] }
      : {}),
  };
}

const nameOf = (name: string): string => name.replaceAll('/', ' > ');
