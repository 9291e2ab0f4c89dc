import { describe, expect, test } from 'vitest';
import type { Life } from '../../machines/life.ts';
import type { Outcome, ReachedLimit } from '../../machines/outcome.ts';
import type { Limits } from '../../machines/settings.ts';
import type { Rounds } from '../../src/kernel/loop-ranking.ts';
import { stillReached } from '../../src/runtime/continuation.ts';

const spend = { inputTokens: 60, outputTokens: 30, toolCalls: 4, steps: 2 };
const life = { spend } as Life;
const NONE: Limits = { maxSteps: null, maxToolCalls: null, maxTokens: null, maxIterations: null, maxTimeMs: null };
const rounds = (limit: Rounds['limit'], count = 3, used?: number) =>
  ({ limit, count: () => count, ...(used === undefined ? {} : { used: () => used }) }) as unknown as Rounds;
const capped = (limit: ReachedLimit): Outcome => ({ ending: 'cap_hit', limit });
const still = (outcome: Outcome, limits: Partial<Limits>, of = rounds('iterations', 0)) =>
  stillReached(outcome, life, { ...NONE, ...limits }, of);
const stopped: Outcome = { ending: 'abort', cause: 'user', fault: null };

describe('the limit that ended a run', () => {
  const tokens = { name: 'tokens', used: 90, limit: 90 } as const;

  test('would end its continuation at once unless there is more than was used', () => {
    expect(still(capped(tokens), { maxTokens: 90 })).toEqual({ ...tokens, limit: 90 });
    expect(still(capped(tokens), { maxTokens: 91 })).toBeNull();
    expect(still(capped(tokens), {})).toBeNull();
  });

  test('needs room for the call that did not fit', () => {
    const short = { ...tokens, next: 40 };
    expect(still(capped(short), { maxTokens: 129 })).toEqual({ ...short, limit: 129 });
    expect(still(capped(short), { maxTokens: 130 })).toBeNull();
  });
});

describe('another limit that is used up', () => {
  test('would end a continuation, too', () => {
    expect(still(stopped, { maxTokens: 90 })).toMatchObject({ name: 'tokens', used: 90, limit: 90 });
    expect(still(stopped, { maxSteps: 2 })).toMatchObject({ name: 'steps', used: 2 });
    expect(still(stopped, { maxSteps: 3 })).toBeNull();
  });

  test('is that of the rounds of the loop', () => {
    expect(still(stopped, { maxSteps: 3 }, rounds('steps'))).toMatchObject({ name: 'steps', used: 3 });
    expect(still(stopped, { maxSteps: 2 }, rounds('steps', 1))).toMatchObject({ name: 'steps', used: 2 });
    expect(still(stopped, { maxIterations: 3 }, rounds('iterations'))).toMatchObject({ name: 'iterations', used: 3 });
    expect(still(stopped, { maxIterations: 3 }, rounds('steps'))).toBeNull();
    expect(still(stopped, { maxSteps: 3 }, rounds('iterations'))).toBeNull();
  });

  test('counts the rounds that count, where the loop says so', () => {
    expect(still(stopped, { maxIterations: 3 }, rounds('iterations', 3, 2))).toBeNull();
    expect(still(stopped, { maxIterations: 2 }, rounds('iterations', 3, 2))).toMatchObject({ used: 2 });
  });
});
