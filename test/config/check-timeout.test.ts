import { expect, test } from 'vitest';
import type { LevelResult } from '../../machines/events.ts';
import { timedByBaseline } from '../../src/config/check-timeout.ts';
import { resolveSettings } from '../../src/config/resolve.ts';

const checksOf = (options: object) => {
  const resolved = resolveSettings({ prompt: 'Work.', checks: ['npm test'], ...options });
  if (resolved.kind === 'refused') throw new Error(JSON.stringify(resolved.faults));
  return resolved.settings.checks;
};

const baselineOf = (passed: boolean, durationMs: number): LevelResult[] => [
  { level: 'L0', passed, checks: [{ name: 'npm test', passed, output: '', exitCode: passed ? 0 : 1, durationMs }] },
];

test.each([
  ['green and quick', true, 2_000, 60_000],
  ['green and slow', true, 300_000, 3_000_000],
  ['red and quick', false, 2_000, 600_000],
  ['red and slow', false, 90_000, 900_000],
])('B8 a check that was %s before any work has ten times as long, within bounds', (_, passed, took, timeoutMs) => {
  expect(timedByBaseline(checksOf({}), baselineOf(passed, took))).toMatchObject([{ timeoutMs }]);
});

test.each([
  ['of the option', { checkTimeout: '5m' }, 300_000],
  ['of the option, also where it is as long as the default', { checkTimeout: '10m' }, 600_001],
  ['of its own', { checks: [{ command: 'npm test', timeoutMs: 7_000 }], checkTimeout: '5m' }, 7_000],
])('B8 a check keeps a time %s, whatever its baseline took', (_, options, timeoutMs) => {
  expect(timedByBaseline(checksOf(options), baselineOf(true, 2_000))).toMatchObject([{ timeoutMs }]);
});

test('B8 a check that did not run before any work has ten minutes', () => {
  expect(timedByBaseline(checksOf({}), undefined)).toMatchObject([{ timeoutMs: 600_000 }]);
  expect(timedByBaseline(checksOf({}), [])).toMatchObject([{ timeoutMs: 600_000 }]);
});
