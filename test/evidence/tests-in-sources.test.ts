import { expect, test } from 'vitest';
import { mayHaveTests, testsWithin } from '../../src/evidence/tests-in-sources.ts';
import { cpuTime } from '../support/cpu-time.ts';

const MODULE = '#[cfg(test)]\nmod tests {\n    #[test]\n    fn adds() {}\n}\n';
const EXAMPLE = '/// Adds.\n/// ```\n/// assert_eq!(sum(1, 2), 3);\n/// ```\n';
const RUST = `${EXAMPLE}fn sum() {}\n\n${MODULE}`;
const TIGHT = `fn sum() {}\n${MODULE}`;
const CRLF = TIGHT.replaceAll('\n', '\r\n');
/** The first test of it comes from a macro. */
const BLANKS = 'fn sum() {}\n# [ cfg ( test ) ]\nmod tests {\n    adds!(true);\n}\n';
const DOCUMENTED = 'def add(a, b):\n    """\n    >>> add(1, 2)\n    3\n    """\n    return a + b\n';
const VITEST = "export const one = 1;\nif (import.meta.vitest) {\n  it('is one');\n}\n";

const same: readonly [string, path: string, before: string, after: string][] = [
  ['code before a module of tests', 'a.rs', RUST, RUST.replace('fn sum() {}', 'fn sum() { 1 }\nfn more() {}')],
  ['a comment that is no example', 'a.rs', RUST, RUST.replace('Adds.', 'Adds two.')],
  ['code beside an example of Python', 'a.py', DOCUMENTED, DOCUMENTED.replace('a + b', 'b + a')],
  ['code before tests of vitest', 'a.ts', VITEST, VITEST.replace('= 1', '= 2')],
];

test.each(same)('V9 %s is no part of its tests', (_what, path, before, after) => {
  expect(testsWithin(path, after)).toBe(testsWithin(path, before));
});

const other: readonly [string, path: string, before: string, after: string][] = [
  ['an assertion of Rust', 'a.rs', RUST, RUST.replace('adds() {}', 'adds() { }')],
  ['an attribute that leaves a module of tests out', 'a.rs', RUST, RUST.replace('#[cfg', '#[cfg(any())]\n#[cfg')],
  ['such an attribute with blanks', 'a.rs', TIGHT, TIGHT.replace('#[cfg', '# [ cfg(any()) ]\n#[cfg')],
  ['such an attribute in several lines', 'a.rs', TIGHT, TIGHT.replace('#[cfg', '#[\n  cfg(any())\n]\n#[cfg')],
  ['such an attribute before CRLF', 'a.rs', CRLF, CRLF.replace('#[cfg', '#[cfg(any())]\r\n#[cfg')],
  ['a module of tests whose attribute has blanks', 'a.rs', BLANKS, BLANKS.replace('true', 'false')],
  ['a test of Rust with blanks', 'a.rs', RUST, RUST.replace('fn sum', '#[ test ]\nfn adds() {}\nfn sum')],
  ['a module of tests in a comment', 'a.rs', RUST, RUST.replace(MODULE, `/*\n${MODULE}*/\n`)],
  ['a module of tests in a macro', 'a.rs', RUST, RUST.replace(MODULE, `none! {\n${MODULE}}\n`)],
  ['a test of Rust before them', 'a.rs', RUST, RUST.replace('fn sum', '#[test]\nfn adds() {}\nfn sum')],
  ['an assertion of their own', 'a.rs', RUST, RUST.replace('fn sum', 'macro_rules! assert_eq { () => {} }\nfn sum')],
  ['an assertion named on the next line', 'a.rs', RUST, RUST.replace('fn sum', 'macro_rules!\nassert_eq {}\nfn sum')],
  ['a module that is for tests alone', 'a.rs', RUST, RUST.replace('fn sum', '#![cfg(test)]\nfn sum')],
  ['an example of Rust', 'a.rs', RUST, RUST.replace(', 3', ', -1')],
  ['an example of Rust that does not run', 'a.rs', RUST, RUST.replace('```', '```ignore')],
  ['an example of Python', 'a.py', DOCUMENTED, DOCUMENTED.replace('    3', '    -1')],
  ['a test of vitest', 'a.ts', VITEST, VITEST.replace('is one', 'is two')],
  ['a file that is all tests', 'a.check.js', 'one', 'two'],
  ['a file of tests of Python', 'checks.py', 'def test_a():\n    assert 1\n', 'def test_a():\n    pass\n'],
];

test.each(other)('V9 %s is part of its tests', (_what, path, before, after) => {
  expect(testsWithin(path, after)).not.toBe(testsWithin(path, before));
});

test.each([
  ['a.rs', '\n'],
  ['a.rs', '#[cfg('],
  ['a.rs', '#[a :: '],
  ['a.rs', '#  '],
  ['a.rs', 'use '],
  ['a.py', '\n'],
])('V9 %s is looked through at once where it is nothing but %j', (path, piece) => {
  const took = cpuTime(() => {
    testsWithin(path, piece.repeat(500_000 / piece.length));
  });
  expect(took).toBeLessThan(2_000);
});

const reported = (file: string | null) =>
  new Map([['L1', { complete: true, tests: [{ file, name: 'adds', occurrence: 1, result: 'passed' as const }] }]]);

test('V9 a file may have tests where its runner named it, and any of Rust where cargo named a program', () => {
  expect(mayHaveTests(reported('src/a.check.js'))('src/a.check.js')).toBe(true);
  expect(mayHaveTests(reported('src/a.check.js'))('src/b.js')).toBe(false);
  expect(mayHaveTests(reported('sums src/lib.rs'))('src/checks.rs')).toBe(true);
  expect(mayHaveTests(reported('sums documentation'))('src/lib.rs')).toBe(true);
  expect(mayHaveTests(reported('a.py'))('src/lib.rs')).toBe(false);
});
