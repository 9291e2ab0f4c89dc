import fc from 'fast-check';
import { expect, test } from 'vitest';
import { evaded, judgeControl } from '../../src/evidence/control/judge-control.ts';
import type { TestResult } from '../../src/evidence/test-list.ts';

const ran = (name: string, result: TestResult['result']): TestResult => ({ file: null, name, occurrence: 1, result });
const file = { path: 'test/sum.test.js', labels: ['k1x0x', 'k1x1x'] };

test.each<readonly [string, readonly TestResult[], boolean]>([
  ['all of them failed', [ran('k1x0x', 'failed'), ran('sums > test_k1x1x', 'failed')], false],
  ['one passed', [ran('k1x0x', 'failed'), ran('k1x1x', 'passed')], true],
  ['one was skipped', [ran('k1x0x', 'failed'), ran('k1x1x', 'skipped')], true],
  ['one was not reported', [ran('k1x0x', 'failed'), ran('k1x11x', 'failed')], true],
  ['one was reported twice', [ran('k1x0x', 'failed'), ran('k1x1x', 'failed'), ran('k1x1x', 'passed')], true],
])('V4 a control where %s', (_what, tests, hasEvaded) => {
  expect(evaded([file], tests)).toEqual(hasEvaded ? [file] : []);
});

test('V4 each file is held, broken or unnoticed, and broken only where the start noticed it', () => {
  const outcomes = fc.array(fc.record({ evaded: fc.boolean(), evadedAtStart: fc.boolean() }), { maxLength: 5 });
  fc.assert(
    fc.property(outcomes, (results) => {
      const files = results.map((_, index) => ({ path: `test/${index}.js`, labels: [`k${index}x`] }));
      const those = (which: 'evaded' | 'evadedAtStart') => files.filter((_, index) => results[index]?.[which]);
      const { held, broken, unnoticed } = judgeControl(files, {
        evaded: those('evaded'),
        evadedAtStart: those('evadedAtStart').filter((one) => those('evaded').includes(one)),
      });
      expect([...held, ...broken, ...unnoticed].toSorted()).toEqual(files.map(({ path }) => path));
      expect(broken).toEqual(
        files.filter((_, index) => results[index]?.evaded && !results[index].evadedAtStart).map(({ path }) => path),
      );
    }),
  );
});
