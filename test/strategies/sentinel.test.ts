import { describe, expect, test } from 'vitest';
import type { Finding, Outcome, ReachedLimit } from '../../machines/outcome.ts';
import { sentinelOf } from '../../src/strategies/sentinel.ts';

const limit = (name: ReachedLimit['name'], used: number, most: number): ReachedLimit => ({ name, used, limit: most });
const finding: Finding = {
  detector: 'identical-calls',
  level: 'stop',
  count: 3,
  message: 'the same call 3 times: read {"path":"a.ts"}',
  evidence: ['run-1/4'],
};

describe('T12 the sentinel of a capped ending', () => {
  test.each<[Outcome & { ending: 'cap_hit' | 'budget' }, string]>([
    [{ ending: 'cap_hit', limit: limit('steps', 20, 20) }, 'step limit reached (20/20)'],
    [{ ending: 'cap_hit', limit: limit('steps', 1, 0) }, 'step limit reached (text only)'],
    [{ ending: 'cap_hit', limit: limit('iterations', 3, 3) }, 'iteration limit reached (3/3)'],
    [{ ending: 'cap_hit', limit: limit('time_ms', 1_800_123, 1_800_000) }, 'time limit reached (30m)'],
    [{ ending: 'budget', limit: limit('tool_calls', 50, 50) }, 'tool budget exhausted (50/50)'],
    [{ ending: 'budget', limit: limit('tokens', 1_100, 1_000) }, 'token budget exhausted (1100/1000)'],
  ])('T12 %j', (outcome, text) =>
    expect(sentinelOf(outcome)).toEqual({ ending: outcome.ending, limit: outcome.limit, finding: null, text }),
  );

  test('T12 a loop that repeats itself is told in the words of what was found', () =>
    expect(sentinelOf({ ending: 'doom_loop', finding })).toEqual({
      ending: 'doom_loop',
      limit: null,
      finding,
      text: 'the same call 3 times: read {"path":"a.ts"}',
    }));

  test('T12 success and abort are not capped', () => {
    expect(sentinelOf({ ending: 'success', verified: null, partial: false })).toBeNull();
    expect(sentinelOf({ ending: 'abort', cause: 'user', fault: null })).toBeNull();
  });
});
