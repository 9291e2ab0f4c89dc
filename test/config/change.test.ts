import { describe, expect, test } from 'vitest';
import { type Bounds, resolveChange } from '../../src/config/change.ts';

const none = { maxSteps: null, maxToolCalls: null, maxTokens: null, maxIterations: null, maxTimeMs: null };
const turn: Bounds = { limits: { ...none, maxSteps: 2, maxToolCalls: 50 }, attemptLimits: null, hasChecks: false };
const loop: Bounds = {
  limits: { ...none, maxIterations: 3 },
  attemptLimits: { ...none, maxSteps: 200, maxToolCalls: 50 },
  hasChecks: true,
};

const fieldsOf = (options: unknown, before: Bounds) => {
  const resolved = resolveChange(options, before);
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

  test('a loop that would be left without any cap is refused', () => {
    expect(fieldsOf({ maxIterations: 'none' }, loop)).toEqual(['maxIterations']);
    expect(fieldsOf({ maxIterations: 'none', maxTokens: 1000 }, loop)).toEqual([]);
    expect(fieldsOf({ maxSteps: 'none', maxToolCalls: 'none' }, turn)).toEqual(['maxSteps']);
  });

  test('what is no cap is refused with its name', () => {
    expect(fieldsOf({ maxSteps: -1 }, turn)).toEqual(['maxSteps']);
    expect(fieldsOf({ prompt: 'another' }, turn)).toEqual(['prompt']);
  });
});
