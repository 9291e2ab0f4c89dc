import { describe, expect, test } from 'vitest';
import { reached, tokensOf, type Used } from '../../src/budget/reached.ts';
import type { Limits } from '../../machines/settings.ts';
import { fc } from '../support/fast-check.ts';

const unlimited: Limits = { maxSteps: null, maxToolCalls: null, maxTokens: null, maxIterations: null, maxTimeMs: null };
const unused: Used = { steps: 0, iterations: 0, timeMs: 0, toolCalls: 0, tokens: 0, nanoUsd: 0 };

describe('limits that are used up', () => {
  test.each([
    ['T3', 'maxSteps', 'steps', 'steps'],
    ['L6', 'maxIterations', 'iterations', 'iterations'],
    ['L17', 'maxTimeMs', 'timeMs', 'time_ms'],
    ['T6', 'maxToolCalls', 'toolCalls', 'tool_calls'],
    ['T6', 'maxTokens', 'tokens', 'tokens'],
    ['T6', 'maxCostNanoUsd', 'nanoUsd', 'cost_nano_usd'],
  ] as const)('%s %s is reached when it is met, not before', (_row, limit, use, name) => {
    const limits = { ...unlimited, [limit]: 20 };
    expect(reached(limits, { ...unused, [use]: 19 })).toEqual([]);
    expect(reached(limits, { ...unused, [use]: 20 })).toEqual([{ name, used: 20, limit: 20 }]);
    expect(reached(limits, { ...unused, [use]: 21 })).toEqual([{ name, used: 21, limit: 20 }]);
    expect(reached(unlimited, { ...unused, [use]: 21 })).toEqual([]);
  });

  test('T12 L17 all of them are told: time, the other caps, the budgets', () => {
    const limits: Limits = {
      maxSteps: 1,
      maxToolCalls: 1,
      maxTokens: 1,
      maxIterations: 1,
      maxTimeMs: 1,
      maxCostNanoUsd: 1,
    };
    const used: Used = { steps: 1, iterations: 1, timeMs: 1, toolCalls: 1, tokens: 1, nanoUsd: 1 };
    const names = reached(limits, used).map(({ name }) => name);
    expect(names).toEqual(['time_ms', 'steps', 'iterations', 'tool_calls', 'tokens', 'cost_nano_usd']);
  });

  test('T8 a limit of zero is reached from the start', () =>
    expect(reached({ ...unlimited, maxSteps: 0 }, unused)).toEqual([{ name: 'steps', used: 0, limit: 0 }]));

  test('using more never takes a limit back', () =>
    fc.assert(
      fc.property(fc.nat(20), fc.nat(20), fc.nat(20), (maxSteps, steps, more) => {
        const limits = { ...unlimited, maxSteps };
        const now = reached(limits, { ...unused, steps }).length;
        expect(reached(limits, { ...unused, steps: steps + more }).length).toBeGreaterThanOrEqual(now);
      }),
    ));

  test('tokens are what went in and what came out', () =>
    expect(tokensOf({ inputTokens: 3, outputTokens: 4 })).toBe(7));
});
