import { expect, test } from 'vitest';
import { checkedTests, hasLostTests, lacksReport } from '../../src/evidence/tests-of-checks.ts';
import type { TestList } from '../../src/evidence/test-list.ts';
import { readVerbose } from '../../src/evidence/verbose-output.ts';

const PRINTED = 'adds ... ok\nkeeps ... FAIL\n2 tests, 1 failure\n';
const WITH_A_LINE_OF_THE_WORK = 'saving ... ok\nadds ... ok\nkeeps ... ok\n2 tests, 0 failures\n';

const leg = (list: TestList | null) => ({
  checks: [{ name: 'unit', passed: true }],
  tests: new Map(list ? [['unit', list]] : []),
});

test('V17 work that prints among the lines of tests loses none: its check names no test', () => {
  const start = readVerbose(PRINTED);
  const now = readVerbose(WITH_A_LINE_OF_THE_WORK);
  expect([start?.tests.length, now]).toEqual([2, null]);
  const [checked] = checkedTests(leg(start).tests, leg(now), leg(now));
  expect(checked && { lacks: lacksReport(checked), lost: hasLostTests(checked), turned: checked.turned }).toEqual({
    lacks: false,
    lost: false,
    turned: [],
  });
});

test('V17 a runner that reported at the start has to report on the work, too', () => {
  const { printed: _, ...reported } = readVerbose(PRINTED) ?? { tests: [], complete: true };
  const [checked] = checkedTests(leg(reported).tests, leg(null), leg(null));
  expect(checked && lacksReport(checked)).toBe(true);
});
