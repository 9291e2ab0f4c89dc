import { expect, test } from 'vitest';
import { CAPTURES_KEPT_MS, prunableFamilies, prunableNumbers } from '../../../../src/app/isolation/prune-captures.ts';
import { fc } from '../../../support/fast-check.ts';

const NOW = Date.parse('2026-06-01T00:00:00.000Z');
const DAY_MS = 24 * 3_600_000;

interface Written {
  readonly run: string;
  readonly root?: string;
  readonly from?: string | undefined;
  readonly closed?: string | null;
  readonly days?: number;
}
const record = ({ run, root = run, from, closed = 'success', days = 31 }: Written) => ({
  run,
  root,
  forkedFrom: from === undefined ? null : { run: from, version: 1 },
  closed,
  updatedAt: new Date(NOW - days * DAY_MS).toISOString(),
});
const prunable = (runs: readonly Written[], olderThanMs?: number) =>
  prunableFamilies(runs.map(record), { now: NOW, olderThanMs }).map((family) => family.map(({ run }) => run));

test('X4 captures go 30 days after a success, and not before', () => {
  expect(CAPTURES_KEPT_MS).toBe(30 * DAY_MS);
  expect(prunable([{ run: 'a', days: 30 }])).toEqual([['a']]);
  expect(prunable([{ run: 'a', days: 29 }])).toEqual([]);
});

test.each(['cap_hit', 'budget', 'doom_loop'])(
  'X4 those of a run that ended with %s go at an age that is asked for',
  (closed) => {
    expect(prunable([{ run: 'a', closed, days: 3_000 }])).toEqual([]);
    expect(prunable([{ run: 'a', closed, days: 91 }], 90 * DAY_MS)).toEqual([['a']]);
    expect(prunable([{ run: 'a', closed, days: 89 }], 90 * DAY_MS)).toEqual([]);
  },
);

test.each([null, 'abort'])('X4 those of a run that can be resumed stay (%s)', (closed) => {
  expect(prunable([{ run: 'a', closed, days: 3_000 }], 0)).toEqual([]);
});

test('X4 a run waits for all that goes on from it, and for all below it', () => {
  const ended = { run: 'a', closed: 'cap_hit', days: 300 };
  expect(prunable([ended, { run: 'b', from: 'a', days: 40 }])).toEqual([['a', 'b']]);
  expect(prunable([ended, { run: 'b', from: 'a', days: 10 }])).toEqual([]);
  expect(prunable([ended, { run: 'b', from: 'a', closed: null, days: 40 }], 0)).toEqual([]);
  expect(
    prunable([
      { run: 'a', days: 300 },
      { run: 'b', from: 'a', closed: 'cap_hit', days: 40 },
    ]),
  ).toEqual([]);
  expect(
    prunable([
      { run: 'a', days: 300 },
      { run: 'c', root: 'a', days: 2 },
    ]),
  ).toEqual([]);
  expect(
    prunable([
      { run: 'c', root: 'a', closed: 'cap_hit', days: 300 },
      { run: 'a', days: 300 },
    ]),
  ).toEqual([['c', 'a']]);
});

test('X4 records that go on from one another in a circle, or from no known run, are one family each', () => {
  expect(
    prunable([
      { run: 'a', from: 'b' },
      { run: 'b', from: 'a' },
    ])
      .flat()
      .toSorted(),
  ).toEqual(['a', 'b']);
  expect(prunable([{ run: 'a', from: 'gone' }])).toEqual([['a']]);
});

const letters = ['a', 'b', 'c', 'd', 'e', 'f'] as const;
const logs = fc.tuple(
  ...letters.map((run, index) =>
    fc.record({
      run: fc.constant(run),
      from: fc.constantFrom(undefined, ...letters.slice(0, index)),
      closed: fc.constantFrom('success', 'cap_hit', 'abort', null),
      days: fc.integer({ min: 0, max: 100 }),
    }),
  ),
);

test('X4 of every log: nothing goes of a run that is younger, open, or goes on in one that is', () =>
  fc.assert(
    fc.property(logs, fc.integer({ min: 0, max: 100 }), (runs, days) => {
      const goes = new Set(prunable(runs, days * DAY_MS).flat());
      for (const one of runs.filter(({ run }) => goes.has(run))) {
        expect(one.closed).not.toBe(null);
        expect(one.days).toBeGreaterThanOrEqual(days);
        for (const next of runs.filter(({ from }) => from === one.run)) expect(goes.has(next.run)).toBe(true);
      }
    }),
  ));

test('X4 the start, the newest capture and what is kept by name stay', () => {
  expect(prunableNumbers([0, 1, 2, 3], new Set())).toEqual([1, 2]);
  expect(prunableNumbers([3, 0, 1, 2], new Set([2]))).toEqual([1]);
  expect(prunableNumbers([0, 1], new Set())).toEqual([]);
  expect(prunableNumbers([], new Set())).toEqual([]);
});
