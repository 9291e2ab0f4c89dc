import { describe, expect, test } from 'vitest';
import { type Bounds, type ChangeOptions, resolveChange } from '../../src/config/change.ts';
import type { Ceilings } from '../../src/options/defaults.ts';

const none = { maxSteps: null, maxToolCalls: null, maxTokens: null, maxIterations: null, maxTimeMs: null };
const turn: Bounds = { limits: { ...none, maxSteps: 2, maxToolCalls: 50 }, attemptLimits: null };
const loop: Bounds = {
  limits: { ...none, maxIterations: 3 },
  attemptLimits: { ...none, maxSteps: 200, maxToolCalls: 50 },
};

const fieldsOf = (options: unknown, before: Bounds, ceilings: Partial<Ceilings> = {}) => {
  const resolved = resolveChange(options, before, { ceilings });
  return resolved.kind === 'refused' ? resolved.faults.map(({ field }) => field) : [];
};

describe('what a continuation changes', () => {
  test('a turn is bound by all its caps itself', () =>
    expect(resolveChange({ maxSteps: 5, maxTime: '2m' }, turn)).toEqual({
      kind: 'change',
      limits: { maxSteps: 5, maxTimeMs: 120_000 },
      attemptLimits: {},
      strategy: undefined,
    }));

  test('in a loop of iterations, steps and tool calls bind each attempt', () =>
    expect(resolveChange({ maxSteps: 5, maxToolCalls: 'none', maxIterations: 4 }, loop)).toMatchObject({
      limits: { maxIterations: 4 },
      attemptLimits: { maxSteps: 5, maxToolCalls: null },
    }));

  test('the number of iterations may be said as part of the strategy', () =>
    expect(resolveChange({ strategy: { name: 'fixed', config: { maxIterations: 7 } } }, loop)).toMatchObject({
      limits: { maxIterations: 7 },
      strategy: { name: 'fixed', config: {} },
    }));

  test('T3 a ceiling holds for it as for a new run, and only the library raises it', () => {
    expect(fieldsOf({ maxSteps: 201 }, turn)).toEqual(['maxSteps']);
    expect(fieldsOf({ maxIterations: 101 }, loop)).toEqual(['maxIterations']);
    expect(resolveChange({ maxSteps: 201 }, turn, { ceilings: { steps: 500 } }).kind).toBe('change');
  });

  test('T3 R3 no cap at all means the ceiling, which only the library takes away', () => {
    const changed = (options: ChangeOptions, before: Bounds, ceilings: Partial<Ceilings> = {}) => {
      const resolved = resolveChange(options, before, { ceilings });
      return resolved.kind === 'change' ? { ...resolved.limits, ...resolved.attemptLimits } : resolved.faults;
    };
    const open = { steps: null, iterations: null };
    expect(changed({ maxSteps: 'none' }, turn)).toEqual({ maxSteps: 200 });
    expect(changed({ maxSteps: 'none' }, loop, { steps: 500 })).toEqual({ maxSteps: 500 });
    expect(changed({ maxSteps: 'none', maxTokens: 9 }, turn, open)).toEqual({ maxSteps: null, maxTokens: 9 });
    const strategy = { name: 'fixed', config: { maxIterations: 'none' as const } };
    for (const asked of [{ maxIterations: 'none' as const }, { strategy }]) {
      expect(changed({ ...asked, maxTokens: 9 }, loop)).toEqual({ maxTokens: 9, maxIterations: 100 });
      expect(changed({ ...asked, maxTokens: 9 }, loop, open)).toEqual({ maxTokens: 9, maxIterations: null });
    }
  });

  test('a loop that would be left without any cap is refused', () => {
    expect(fieldsOf({ maxIterations: 'none' }, loop)).toEqual(['maxIterations']);
    expect(fieldsOf({ maxIterations: 'none', maxTokens: 1000 }, loop)).toEqual([]);
    expect(fieldsOf({ strategy: { name: 'fixed', config: { maxIterations: 'none' } } }, loop)).toEqual([
      'maxIterations',
    ]);
    expect(fieldsOf({ maxSteps: 'none', maxToolCalls: 'none' }, turn, { steps: null })).toEqual(['maxSteps']);
    expect(fieldsOf({ maxSteps: 'none', maxToolCalls: 'none' }, turn)).toEqual([]);
  });

  test('what is no cap is refused with its name', () => {
    expect(fieldsOf({ maxSteps: -1 }, turn)).toEqual(['maxSteps']);
    expect(fieldsOf({ prompt: 'another' }, turn)).toEqual(['prompt']);
  });
});
