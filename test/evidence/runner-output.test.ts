import { expect, test } from 'vitest';
import { readGoOutput } from '../../src/evidence/go-output.ts';
import { readLibtest } from '../../src/evidence/libtest-output.ts';

const CARGO = `   Compiling sums v0.1.0 (/here/sums)
    Finished \`test\` profile [unoptimized + debuginfo] target(s) in 4.43s
     Running unittests src/lib.rs (target/debug/deps/sums-ecd90ae6b2807d0f)

running 3 tests
test tests::adds ... ok
test tests::later ... ignored
test tests::panics - should panic ... ok

test result: ok. 2 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 1.95s

     Running tests/it.rs (target/debug/deps/it-db99d5157659f42b)

running 2 tests
test works ... ok
test fails ... FAILED

failures:

---- fails stdout ----
test printed ... ok

test result: FAILED. 1 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.16s

   Doc-tests sums

running 1 test
test src/lib.rs - add (line 1) ... ok

test result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 1.30s
`;

const named = (list: ReturnType<typeof readLibtest>) =>
  list?.tests.map(({ file, name, result }) => `${file}: ${name}: ${result}`);

test('V4 cargo names the program of each test, and examples in comments without their line', () => {
  const list = readLibtest(CARGO.replace('test printed ... ok\n', ''));
  expect(named(list)).toEqual([
    'sums src/lib.rs: tests > adds: passed',
    'sums src/lib.rs: tests > later: skipped',
    'sums src/lib.rs: tests > panics: passed',
    'it tests/it.rs: works: passed',
    'it tests/it.rs: fails: failed',
    'sums documentation: src/lib.rs - add: passed',
  ]);
  expect(list?.complete).toBe(true);
});

test('V4 a program of Rust that names fewer or more tests than it has, or does not end, gives no whole report', () => {
  const cut = CARGO.replace('test printed ... ok\n', '').replace('test works ... ok\n', '');
  expect(readLibtest(cut)?.complete).toBe(false);
  expect(readLibtest(CARGO)?.complete).toBe(false);
  expect(readLibtest(CARGO.slice(0, CARGO.indexOf('test tests::later')))?.complete).toBe(false);
  expect(readLibtest('running late\nok\n')).toBeNull();
});

const GO = `/here/sums/lib
=== RUN   TestAdds
=== RUN   TestAdds/two
--- PASS: TestAdds (0.00s)
    --- PASS: TestAdds/two (0.00s)
=== RUN   TestRounds
    sums_test.go:11: later
printed --- SKIP: TestRounds (0.00s)
PASS

loopfold: exit status 0
`;

test('V4 Go names the package of each test; one that does not end has failed', () => {
  const read = (text: string) => readGoOutput(text, ['/here/sums']);
  expect(named(read(GO))).toEqual(['lib: TestAdds: passed', 'lib: TestAdds > two: passed', 'lib: TestRounds: skipped']);
  expect(read(GO).complete).toBe(true);
  expect(named(read(GO.replace('--- PASS: TestAdds (0', '(0')))?.[0]).toBe('lib: TestAdds: failed');
  expect(read(GO.replace('\nPASS\n', '\n')).complete).toBe(false);
  expect(read(GO.replace('exit status 0\n', '')).complete).toBe(false);
  expect(read(GO.replace('lib\n', '\n').replace('sums/', 'sums')).tests[0]?.file).toBe('.');
});
