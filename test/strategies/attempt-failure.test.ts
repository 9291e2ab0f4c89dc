import { describe, expect, test } from 'vitest';
import type { Outcome } from '../../machines/outcome.ts';
import { causeOf } from '../../src/strategies/attempt-failure.ts';

const refused: Outcome = { ending: 'abort', cause: 'error', fault: { code: 'refused', message: 'It refused. ' } };

describe('the cause of an attempt that failed', () => {
  test('is its fault, without a full stop', () => expect(causeOf(refused)).toBe('It refused'));

  test('is the limit that it reached', () =>
    expect(causeOf({ ending: 'cap_hit', limit: { name: 'steps', used: 5, limit: 5 } })).toBe(
      'step limit reached (5/5)',
    ));

  test('has at most 200 characters', () =>
    expect(causeOf({ ...refused, fault: { code: 'refused', message: 'x'.repeat(300) } })).toHaveLength(200));

  test.each<[string, Outcome | null]>([
    ['lost', null],
    ['finished', { ending: 'success', verified: null, partial: false }],
    ['stopped with its loop', { ending: 'abort', cause: 'parent', fault: null }],
  ])('is unknown of one that was %s', (_how, outcome) => {
    expect(causeOf(outcome)).toBeNull();
  });
});
