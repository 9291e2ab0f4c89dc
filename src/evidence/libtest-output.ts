import { counted, type TestList, type UncountedTest } from './test-list.ts';

// Stable Rust has no report of single tests but what it prints. cargo names the program that it runs, and the program
// says how many tests it has, then each with its result.

const SECTION =
  /^\s*(?:Running (?:unittests )?(\S+) \((?:.*\/)?([^/]+?)(?:-[\da-f]{16})?(?:\.exe)?\)|Doc-tests (\S+))$/;
const BEGUN = /^running (\d+) tests?$/;
const TEST = /^test (.+?)(?: - should panic)? \.\.\. (ok|FAILED|ignored)(?:, .*)?$/;
const ENDED = /^test result: /;
const RESULTS = { ok: 'passed', FAILED: 'failed', ignored: 'skipped' } as const;

/** Reads what `cargo test` has printed. Null where it shows no tests of Rust. */
export function readLibtest(text: string): TestList | null {
  const tests: UncountedTest[] = [];
  let file: string | null = null;
  let hasBegun = false;
  let complete = true;
  /** How many tests of this program are still to be named; null: between two. */
  let left: number | null = null;
  for (const line of text.split('\n')) {
    const [, source, program, documented] = SECTION.exec(line) ?? [];
    if (source !== undefined || documented !== undefined) {
      complete &&= left === null;
      file = documented === undefined ? `${program} ${source}` : `${documented} documentation`;
      left = null;
    }
    const begun = BEGUN.exec(line)?.[1];
    if (begun !== undefined) {
      complete &&= left === null;
      hasBegun = true;
      left = Number(begun);
    }
    const [, name, word] = left === null ? [] : (TEST.exec(line) ?? []);
    if (name !== undefined && left !== null) {
      left -= 1;
      tests.push({ file, name: nameOf(name), result: RESULTS[word === 'ok' || word === 'FAILED' ? word : 'ignored'] });
    }
    if (left !== null && ENDED.test(line)) {
      complete &&= left === 0;
      left = null;
    }
  }
  return hasBegun ? { tests: counted(tests), complete: complete && left === null } : null;
}

/** An example in a comment is named by its line, which edits above it move. */
const nameOf = (name: string): string => name.replace(/ \(line \d+\)$/, '').replaceAll('::', ' > ');
