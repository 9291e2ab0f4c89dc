import { describe, expect, test } from 'vitest';
import { aloneWithoutEnd, effectiveCap, limitsWithin } from '../../src/config/caps.ts';
import { resolveSettings } from '../../src/config/resolve.ts';
import { fc } from '../support/fast-check.ts';
import { refusals, resolved } from './resolved.ts';

const prompt = 'Fix the tests';
const cap = fc.option(fc.nat(300), { nil: null });

describe('the ceiling', () => {
  test('T3 the effective cap is the smaller one, whichever is missing counting as unlimited', () =>
    fc.assert(
      fc.property(cap, cap, (asked, ceiling) => {
        expect(effectiveCap(asked, ceiling) ?? Infinity).toBe(Math.min(asked ?? Infinity, ceiling ?? Infinity));
      }),
    ));

  test.each([
    [0, 0],
    [20, 20],
    [200, 200],
    ['none' as const, 200],
    [undefined, 200],
  ])('T3 asking for %j steps gives %i', (maxSteps, effective) =>
    expect(resolved({ maxSteps }).settings.limits.maxSteps).toBe(effective),
  );

  test('T3 more than the ceiling is an error that names it', () => {
    expect(refusals({ prompt, maxSteps: 201 })).toEqual([
      'maxSteps (--max-steps): expected a whole number of steps, at most 200 (the ceiling), found 201',
    ]);
    expect(refusals({ prompt, checks: ['a'], maxIterations: 101 })).toEqual([
      'maxIterations (--max-iterations): expected a whole number of iterations, at most 100 (the ceiling), found 101',
    ]);
    expect(refusals({ prompt, strategy: { name: 'fixed', config: { maxIterations: 101 } } })).toHaveLength(1);
    expect(refusals({ prompt, maxSteps: 201, checks: ['a'] })).toHaveLength(1);
  });

  test('R3 no number of iterations means the ceiling, where something else was asked to end the loop', () => {
    const strategy = { name: 'fixed', config: { maxIterations: 'none' as const } };
    for (const options of [{ checks: ['a'], maxIterations: 'none' as const }, { strategy }]) {
      const asked = { ...options, maxTokens: 1_000 };
      expect(resolved(asked).settings.limits.maxIterations).toBe(100);
      expect(resolved(asked, { iterations: 500 }).settings.limits.maxIterations).toBe(500);
      expect(resolved(asked, { iterations: null }).settings.limits.maxIterations).toBeNull();
    }
  });

  test('T3 only code raises it, each alone', () => {
    expect(resolved({ maxSteps: 10_000 }, { steps: 10_000 }).settings.limits.maxSteps).toBe(10_000);
    expect(resolved({ maxSteps: 10_000 }, { steps: null }).settings.limits.maxSteps).toBe(10_000);
    expect(refusals({ prompt, maxSteps: 10_001 }, { steps: 10_000 })).toHaveLength(1);
    expect(refusals({ prompt, maxSteps: 201 }, { iterations: null })).toHaveLength(1);
    expect(resolved({ checks: ['a'], maxIterations: 500 }, { iterations: 500 }).settings.limits.maxIterations).toBe(
      500,
    );
  });

  test('a lower ceiling holds for the default too', () =>
    expect(resolved({ checks: ['a'] }, { iterations: 2 }).settings.limits.maxIterations).toBe(2));
});

describe('a loop without any cap is refused', () => {
  const none = { prompt, maxSteps: 'none', maxToolCalls: 'none', maxIterations: 'none' };
  const open = { steps: null, iterations: null };

  test('a turn is bounded by the ceiling, and by nothing else when that is gone', () => {
    expect(refusals({ prompt, maxSteps: 'none', maxToolCalls: 'none' })).toEqual([]);
    expect(refusals(none, { steps: null })).toEqual([expect.stringMatching(/^maxSteps .*a cap on the turn/)]);
    expect(refusals({ ...none, maxToolCalls: 1, maxCost: 1 }, { steps: null })).toHaveLength(1);
    for (const given of [{ maxSteps: 1 }, { maxTokens: 1 }, { maxTime: 1 }]) {
      expect(refusals({ ...none, ...given }, { steps: null })).toEqual([]);
    }
  });

  test('tool calls do not bound a turn, whose checks may fail for ever, and whose answers may be cut off', () => {
    const options = { ...none, loop: 'turn', checks: ['a'], maxToolCalls: 1 };
    expect(refusals(options, open)).toHaveLength(1);
    expect(refusals({ ...options, maxTokens: 1 }, open)).toEqual([]);
  });

  test('iterations without a number need tokens or time', () => {
    const options = { prompt, checks: ['a'], maxIterations: 'none' };
    expect(refusals(options)).toEqual([expect.stringMatching(/^maxIterations .*a cap on the loop/)]);
    expect(refusals({ prompt, strategy: { name: 'fixed', config: { maxIterations: 'none' } } })).toHaveLength(1);
    expect(refusals({ ...options, maxTokens: 1 })).toEqual([]);
    expect(refusals({ ...options, maxTime: '1s' })).toEqual([]);
  });

  test('each attempt is bounded as well, and by what is left of tokens and time, but by no number of calls', () => {
    const options = { ...none, checks: ['a'], maxIterations: 3 };
    expect(refusals({ ...options, maxCost: 1, maxToolCalls: 1 }, open)).toEqual([
      expect.stringMatching(/^maxSteps .*on each attempt/),
    ]);
    for (const given of [{ maxSteps: 1 }, { maxTokens: 1 }, { maxTime: 1 }]) {
      expect(refusals({ ...options, ...given }, open)).toEqual([]);
    }
  });

  test('whatever resolves has a finite cap on the run and on each attempt', () => {
    const asked = (value: fc.Arbitrary<unknown>) => fc.option(fc.oneof(fc.constant('none'), value), { nil: undefined });
    const amount = asked(fc.integer({ min: 1, max: 250 }));
    const options = fc.record({
      prompt: fc.constant(prompt),
      loop: fc.constantFrom(undefined, 'turn', 'iteration'),
      checks: fc.constantFrom(undefined, [], ['npm test']),
      maxSteps: amount,
      maxToolCalls: amount,
      maxTokens: amount,
      maxIterations: amount,
      maxTime: asked(fc.constantFrom('5s', 1)),
    });
    const ceiling = fc.option(fc.integer({ min: 1, max: 300 }), { nil: null });
    fc.assert(
      fc.property(options, fc.record({ steps: ceiling, iterations: ceiling }), (given, ceilings) => {
        const resolution = resolveSettings(given, { ceilings });
        if (resolution.kind === 'refused') return;
        const { loop, limits, attemptLimits } = resolution.settings;
        expect(Object.values(limits).some((limit) => limit !== null)).toBe(true);
        expect(aloneWithoutEnd(limitsWithin(attemptLimits ?? limits, limits))).toEqual([]);
        const iterations = loop === 'turn' ? 1 : (limits.maxIterations ?? Infinity);
        expect((attemptLimits ?? limits).maxSteps ?? Infinity).toBeLessThanOrEqual(ceilings.steps ?? Infinity);
        expect(iterations).toBeLessThanOrEqual(ceilings.iterations ?? Infinity);
      }),
    );
  });
});

describe('a run that works for another', () => {
  const free = {
    maxSteps: null,
    maxToolCalls: 9,
    maxTokens: null,
    maxIterations: null,
    maxTimeMs: null,
    maxCostNanoUsd: null,
  };
  const around = { ...free, maxIterations: 3, maxTimeMs: 5000 };

  test('has no more tokens and money than the other, and of its own no more than it was given', () => {
    const within = limitsWithin({ ...free, maxTokens: 10 }, { ...around, maxTokens: 7, maxCostNanoUsd: 3 });
    expect(within).toEqual({ ...free, maxTokens: 7, maxCostNanoUsd: 3 });
    expect(limitsWithin({ ...free, maxTokens: 5 }, { ...around, maxTokens: 7 }).maxTokens).toBe(5);
  });

  test('takes the other’s time if nothing else bounds it, and has no clock of its own otherwise', () => {
    expect(limitsWithin(free, around).maxTimeMs).toBe(5000);
    expect(limitsWithin({ ...free, maxSteps: 2 }, around).maxTimeMs).toBeNull();
    expect(limitsWithin(free, { ...around, maxTokens: 7 }).maxTimeMs).toBeNull();
  });
});
