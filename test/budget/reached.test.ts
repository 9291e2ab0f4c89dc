import { describe, expect, test } from 'vitest';
import { reached, tokensOf, type Used, usedUp } from '../../src/budget/limit-use.ts';
import { NO_SPEND, type Spend } from '../../machines/outcome.ts';
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

test('what is set aside counts as used, and is told', () => {
  const limits = { ...unlimited, maxTokens: 20, maxCostNanoUsd: 9 };
  const reserved = { tokens: 15, nanoUsd: 0 };
  expect(reached(limits, { ...unused, tokens: 4, reserved })).toEqual([]);
  expect(reached(limits, { ...unused, tokens: 5, nanoUsd: 9, reserved })).toEqual([
    { name: 'tokens', used: 5, limit: 20, reserved: 15 },
    { name: 'cost_nano_usd', used: 9, limit: 9 },
  ]);
  expect(reached(limits, { ...unused, tokens: 19, reserved: { tokens: 1, nanoUsd: 0 } })).toMatchObject([
    { reserved: 1 },
  ]);
});

describe('a limit that a run has used up already', () => {
  const usedUpBy = (limits: Partial<Limits>, spend: Partial<Spend>, iterations = 0) =>
    usedUp({ ...unlimited, ...limits }, { spend: { ...NO_SPEND, ...spend }, iterations });

  test('is any that something was used of', () => {
    expect(usedUpBy({ maxSteps: 3 }, { steps: 3 })).toEqual({ name: 'steps', used: 3, limit: 3 });
    expect(usedUpBy({ maxSteps: 4 }, { steps: 3 })).toBeNull();
    expect(usedUpBy({ maxIterations: 2 }, {}, 2)).toEqual({ name: 'iterations', used: 2, limit: 2 });
    expect(usedUpBy({ maxTokens: 9 }, { inputTokens: 8, outputTokens: 1 })).toMatchObject({ name: 'tokens', used: 9 });
    expect(usedUpBy({ maxCostNanoUsd: 7 }, { costNanoUsd: 7 })).toMatchObject({ name: 'cost_nano_usd', used: 7 });
    expect(usedUpBy({ maxSteps: 1 }, { steps: 1 })).toMatchObject({ used: 1 });
  });

  test('is not one of zero that nothing was used of, nor the time, nor the tool calls', () => {
    expect(usedUpBy({ maxSteps: 0, maxTokens: 0, maxCostNanoUsd: 0, maxTimeMs: 0 }, {})).toBeNull();
    expect(usedUpBy({ maxTimeMs: 1 }, {})).toBeNull();
    expect(usedUpBy({ maxCostNanoUsd: 1 }, {})).toBeNull();
    expect(usedUpBy({ maxToolCalls: 2 }, { toolCalls: 2 })).toBeNull();
  });
});
