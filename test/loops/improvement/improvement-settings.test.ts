import { expect, test } from 'vitest';
import { improvementSettings } from '../../../src/loops/improvement/improvement-settings.ts';
import { settingsOf } from '../../support/facts.ts';

const places = { isIsolated: true, isProven: true };

function refusedMetrics(...metrics: readonly (string | undefined)[]) {
  const benchmarks = metrics.map((metric, index) => ({
    name: `speed ${index}`,
    command: 'true',
    ...(metric === undefined ? {} : { metric }),
  }));
  const options = { phases: { evaluate: { enabled: false, benchmarks } } };
  const faults = improvementSettings.refuses?.({ ...settingsOf('iteration'), options }, places) ?? [];
  return faults.map(({ field, value }) => [field, value]);
}

test('I9 a metric that is no regular expression, or has no group, is refused before the loop begins', () => {
  expect(refusedMetrics('(', '(\\d+) ms', '\\d+', undefined, 'a|(?<number>b)', '(?:\\d)', '[')).toEqual([
    ['options.phases.evaluate.benchmarks[0].metric', '('],
    ['options.phases.evaluate.benchmarks[2].metric', '\\d+'],
    ['options.phases.evaluate.benchmarks[5].metric', '(?:\\d)'],
    ['options.phases.evaluate.benchmarks[6].metric', '['],
  ]);
});
