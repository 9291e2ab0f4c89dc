import { describe, expect, test } from 'vitest';
import { bestOf, gainOf, progressOf } from '../../src/strategies/compare-progress.ts';
import type { Measures } from '../../src/strategies/report.ts';
import type { IterationSummary } from '../../src/strategies/strategy.ts';
import { fc } from '../support/fast-check.ts';
import { ALL_CHECKS, lastEvent, type Told } from './told.ts';

const measures = (changes: Partial<Measures> = {}): Measures => ({
  highestLevel: 'L0',
  checksPassed: 4,
  checksTotal: 20,
  failingChecks: ['L1/a', 'L1/b'],
  failingTests: [],
  testsFailed: 0,
  ...changes,
});
const progress = (threshold: number, ...history: readonly Told[]) => progressOf(lastEvent(...history), threshold);

describe('L7 progress is measured', () => {
  test('L7 by the checks that pass', () =>
    expect(gainOf(measures(), measures({ checksPassed: 6, failingChecks: ['L1/c', 'L1/d'] }))).toBe(0.1));

  test('L7 by the level: one of four', () => {
    expect(gainOf(measures(), measures({ highestLevel: 'L1', checksPassed: 5 }))).toBe(0.25);
    expect(gainOf(measures({ highestLevel: null }), measures({ highestLevel: 'L1' }))).toBe(0.5);
    expect(gainOf(measures(), measures({ highestLevel: 'L1', checksPassed: 14 }))).toBe(0.5);
  });

  test('L7 by the checks that fail no more, fewer by as many as fail anew', () => {
    expect(gainOf(measures(), measures({ checksPassed: 5, failingChecks: ['L1/b'] }))).toBe(0.5);
    expect(gainOf(measures(), measures({ failingChecks: ['L1/b', 'L1/c'] }))).toBe(0);
    expect(gainOf(measures(), measures({ checksPassed: 3, failingChecks: ['L1/a', 'L1/b', 'L1/c'] }))).toBeLessThan(0);
  });

  test('L7 by the tests that fail no more, where the same checks fail', () => {
    expect(gainOf(measures({ testsFailed: 300 }), measures({ testsFailed: 150 }))).toBe(0.5);
    expect(gainOf(measures({ testsFailed: 150 }), measures({ testsFailed: 300 }))).toBe(0);
    expect(gainOf(measures({ testsFailed: 300 }), measures({ testsFailed: 1, failingChecks: ['L1/a', 'L1/x'] }))).toBe(
      0,
    );
  });

  test('L7 checks that were not reached have not been mended', () =>
    expect(
      gainOf(measures({ checksPassed: 9 }), measures({ highestLevel: null, checksPassed: 1, failingChecks: ['L0/x'] })),
    ).toBe(-0.25));

  test('L7 nothing gained is nothing, and what one gains the other lost', () => {
    const level = fc.constantFrom(null, 'L0', 'L1', 'L2', 'L3' as const);
    const any = fc.record({
      highestLevel: level,
      checksPassed: fc.nat({ max: 20 }),
      checksTotal: fc.constant(20),
      failingChecks: fc.subarray(['L1/a', 'L1/b', 'L1/c']),
      failingTests: fc.constant([]),
      testsFailed: fc.nat({ max: 50 }),
    });
    fc.assert(
      fc.property(any, any, (one, other) => {
        expect(gainOf(one, one)).toBe(0);
        expect(gainOf(one, other)).toBeLessThanOrEqual(1);
        if (one.highestLevel !== other.highestLevel)
          expect(Math.min(gainOf(one, other), gainOf(other, one))).toBeLessThan(0);
      }),
    );
  });
});

describe('L7 whether it is enough', () => {
  const half = { passes: ['types', 'lint', 'unit'] };
  const more = { passes: ['types', 'lint', 'unit', 'cases'] };

  test('L7 the first iteration counts as progress', () =>
    expect(progress(1, {})).toEqual({ isProgress: true, gain: null, since: null }));

  test('L7 what is gained is compared with the threshold, which it may just reach', () => {
    const gain = 1 / 3;
    expect(progress(gain, half, more)).toEqual({ isProgress: true, gain, since: 0 });
    expect(progress(gain + 0.01, half, more).isProgress).toBe(false);
    expect(progress(0, half, more).isProgress).toBe(true);
    expect(progress(0, half, half)).toEqual({ isProgress: false, gain: 0, since: 0 });
  });

  test('L7 progress is measured against the best iteration before, so going back and forth is not progress', () => {
    expect(progress(0.1, more, half, more)).toMatchObject({ isProgress: false, since: 0 });
    expect(progress(0.1, half, {}, more)).toMatchObject({ isProgress: true, since: 0 });
  });

  test('L7 where neither side was verified the doubt is in its favour, unless the agent newly fails', () => {
    const failed = { agentSuccess: false };
    expect(progress(0.1, {}, {}).isProgress).toBe(true);
    expect(progress(0.1, failed, failed).isProgress).toBe(true);
    expect(progress(0.1, {}, failed).isProgress).toBe(false);
    expect(progress(0.1, half, failed).isProgress).toBe(false);
    expect(progress(0.1, half, {}).isProgress).toBe(false);
    expect(progress(0.1, failed, { passes: [] }).isProgress).toBe(true);
  });
});

describe('L10 the best of several iterations', () => {
  const summary = (iteration: number, changes: Partial<IterationSummary>): IterationSummary => {
    const [one] = lastEvent({ passes: [] }, {}).previousIterations;
    if (!one) throw new Error('expected an iteration');
    return { ...one, iteration, ...changes };
  };

  test('L10 has the most passed checks, then the highest level, then a finished agent; else the later', () => {
    const best = (...changes: readonly Partial<IterationSummary>[]) =>
      bestOf(changes.map((change, index) => summary(index, change)))?.iteration;
    expect(best()).toBeUndefined();
    expect(best({ checksPassed: 2 }, { checksPassed: 1, highestLevel: 'L3' })).toBe(0);
    expect(best({ highestLevel: 'L1' }, { highestLevel: 'L0' })).toBe(0);
    expect(best({ agentSuccess: true }, { agentSuccess: false })).toBe(0);
    expect(best({}, {}, {})).toBe(2);
    expect(best({ checksPassed: 1 }, { checksPassed: 2 }, { checksPassed: 2 }, { checksPassed: 0 })).toBe(2);
    expect(best({ checksTotal: 0 }, { checksTotal: 0 })).toBe(1);
  });

  test('L10 nothing before or after it is better', () => {
    const passes = fc.subarray([...ALL_CHECKS]);
    fc.assert(
      fc.property(fc.array(passes, { minLength: 1, maxLength: 6 }), (history) => {
        const { previousIterations } = lastEvent(...history.map((passed) => ({ passes: passed })), {});
        const best = bestOf(previousIterations);
        expect(best?.checksPassed).toBe(Math.max(...previousIterations.map(({ checksPassed }) => checksPassed)));
      }),
    );
  });
});
