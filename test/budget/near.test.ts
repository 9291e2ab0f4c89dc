import { describe, expect, test } from 'vitest';
import type { ReachedLimit } from '../../machines/outcome.ts';
import { nearing, nearText } from '../../src/budget/near.ts';
import type { Used } from '../../src/budget/limit-use.ts';
import { LIMITS } from '../support/facts.ts';

const NONE: Used = { steps: 0, iterations: 0, timeMs: 0, toolCalls: 0, tokens: 0, nanoUsd: 0 };
const limits = { ...LIMITS, maxSteps: 10, maxTokens: 100 };
const near = (used: Partial<Used>) => nearing(limits, { ...NONE, ...used });

describe('a limit is near', () => {
  test('from 80 % on, until it is reached', () => {
    expect([7, 8, 9, 10].map((steps) => near({ steps }).length)).toEqual([0, 1, 1, 0]);
    expect(near({ steps: 8 })).toEqual([{ name: 'steps', used: 8, limit: 10 }]);
  });

  test('where what is set aside and what is used come to that together', () => {
    const reserved = { tokens: 30, nanoUsd: 0 };
    expect([49, 50, 69, 70].map((tokens) => near({ tokens, reserved }).length)).toEqual([0, 1, 1, 0]);
    expect(near({ tokens: 50, reserved })).toEqual([{ name: 'tokens', used: 50, limit: 100, reserved: 30 }]);
  });

  test('only where there is one', () => expect(near({ nanoUsd: 1_000_000 })).toEqual([]));

  test('not where one of nothing is reached from the start', () =>
    expect(nearing({ ...limits, maxSteps: 0 }, NONE)).toEqual([]));
});

test.each<readonly [ReachedLimit, string]>([
  [{ name: 'steps', used: 8, limit: 10 }, 'most of the steps are used (8/10)'],
  [{ name: 'iterations', used: 4, limit: 5 }, 'most of the iterations are used (4/5)'],
  [{ name: 'time_ms', used: 50_400, limit: 60_000 }, 'most of the time is used (50s of 1m)'],
  [{ name: 'time_ms', used: 50_600, limit: 60_000 }, 'most of the time is used (51s of 1m)'],
  [{ name: 'tool_calls', used: 8, limit: 10 }, 'most of the tool budget is used (8/10)'],
  [{ name: 'tokens', used: 80, limit: 100 }, 'most of the token budget is used (80/100)'],
  [{ name: 'tokens', used: 50, limit: 100, reserved: 30 }, 'most of the token budget is used (50/100, 30 set aside)'],
  [
    { name: 'cost_nano_usd', used: 800_000_000, limit: 1_000_000_000 },
    'most of the cost budget is used ($0.8000/$1.00)',
  ],
])('says which limit is near: %j', (limit, text) => expect(nearText(limit)).toBe(text));
