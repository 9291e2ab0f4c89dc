import { expect, test } from 'vitest';
import { TestsSeen } from '../../src/cli/live/tests-seen.ts';
import { fc } from '../support/fast-check.ts';

test.each([
  ['node --test', '✔ adds (1 ms)\n✖ divides (2 ms)\nℹ tests 2\n', '2 tests'],
  ['TAP', 'TAP version 13\nok 1 - adds\nnot ok 2 - divides\n1..2\n', '2 tests'],
  ['vitest', ' ✓ adds.test.ts (3 tests) 4ms\n × divides\n', '2 tests'],
  ['go test -v', '=== RUN TestAdd\n--- PASS: TestAdd (0.00s)\n    --- FAIL: TestAdd/zero\n', '2 tests'],
  ['cargo test', 'running 2 tests\ntest adds ... ok\ntest divides ... FAILED\n', '2 tests'],
  ['pytest -v', 'tests/a.py::test_add PASSED [50%]\n', '1 test'],
  ['a compiler', 'src/a.ts(1,2): error TS2322\nok then\n', null],
])('W6 the tests that %s tells of are counted', (_runner, output, text) => {
  const seen = new TestsSeen();
  seen.printed(output);
  expect(seen.text()).toBe(text);
});

test('W6 the count is the same in whatever pieces an output comes', () => {
  const lines = fc.array(fc.constantFrom('ok 1 - a', 'not ok 2 - b', '✔ c', 'noise', ''), { maxLength: 20 });
  fc.assert(
    fc.property(lines, fc.array(fc.nat(8), { maxLength: 60 }), (all, sizes) => {
      const output = `${all.join('\n')}\n`;
      const [whole, pieces] = [new TestsSeen(), new TestsSeen()];
      whole.printed(output);
      let at = 0;
      for (const size of sizes) {
        pieces.printed(output.slice(at, at + size));
        at += size;
      }
      pieces.printed(output.slice(at));
      expect(pieces.text()).toBe(whole.text());
    }),
  );
});

test('W6 the second time it is known how many there were', () => {
  const seen = new TestsSeen();
  seen.printed('ok 1\nok 2\nok 3');
  seen.end();
  seen.printed('ok 1\n');
  expect(seen.text()).toBe('1 of about 3 tests');
  seen.printed('ok 2\nok 3\nok 4\n');
  expect(seen.text()).toBe('4 tests');
});
