import { expect, test } from 'vitest';
import { changedSinceRuns, type EarlierRun, leftByRuns } from '../../src/evidence/grounds-of-earlier.ts';
import { sameButFormat } from '../../src/evidence/same-but-format.ts';
import type { TreeEntry } from '../../src/evidence/tree-entry.ts';

type Files = { readonly [path: string]: string };

const entry = (text: string | undefined): TreeEntry | null =>
  text === undefined ? null : { mode: '100644', hash: text };

/** An earlier run, by what it began with and what it left, against what is there now. */
function earlier(run: string, now: Files, base: Files, end: Files = now, more: Partial<EarlierRun<TreeEntry>> = {}) {
  const against = (files: Files) =>
    new Map(
      Object.keys({ ...files, ...now })
        .filter((path) => files[path] !== now[path])
        .map((path) => [path, { before: entry(files[path]), after: entry(now[path]) }]),
    );
  return { run, base: against(base), end: against(end), inherited: new Map(), isApproved: () => false, ...more };
}

const left = (...runs: readonly EarlierRun<TreeEntry>[]) =>
  Object.fromEntries([...leftByRuns(runs)].map(([path, { run, entry: was }]) => [path, [run, was?.hash ?? null]]));

test('V2 files that a run changed, added or removed are listed with their content of before', () => {
  const now = { changed: 'weak', added: 'new', same: 'x' };
  const base = { changed: 'strict', removed: 'old', same: 'x' };
  expect(left(earlier('one', now, base))).toEqual({
    changed: ['one', 'strict'],
    added: ['one', null],
    removed: ['one', 'old'],
  });
});

test('V2 a file that a person edited after the run is not listed as left by the run', () => {
  expect(left(earlier('one', { test: 'mended' }, { test: 'strict' }, { test: 'weak' }))).toEqual({});
});

test('V2 several runs that change one file in turn are followed to what was there before the first', () => {
  const now = { test: 'c' };
  expect(left(earlier('two', now, { test: 'b' }), earlier('one', now, { test: 'a' }, { test: 'b' }))).toEqual({
    test: ['one', 'a'],
  });
});

test('V2 a change that a later run reverted is not listed as left', () => {
  const now = { test: 'a' };
  expect(left(earlier('two', now, { test: 'b' }), earlier('one', now, { test: 'a' }, { test: 'b' }))).toEqual({});
});

test('V2 a run that was given older grounds passes them to the next run', () => {
  const now = { test: 'weak' };
  const two = earlier('two', now, { test: 'strict' }, now, { inherited: new Map([['test', 'one']]) });
  expect(left(two)).toEqual({ test: ['one', 'strict'] });
});

test('V2 what a person approved counts as it is, and what a later run changed of it does not', () => {
  const isApproved = (_path: string, was: TreeEntry | null) => was?.hash === 'b';
  const one = (now: Files) => earlier('one', now, { test: 'a' }, { test: 'b' }, { isApproved });
  expect(left(one({ test: 'b' }))).toEqual({});
  const now = { test: 'c' };
  expect(left(earlier('two', now, { test: 'b' }), one(now))).toEqual({ test: ['two', 'b'] });
});

const since = (...runs: readonly EarlierRun<TreeEntry>[]) =>
  [...changedSinceRuns(runs)].map(([path, { run, entry: was, isKnown }]) => [path, run, was?.hash ?? null, isKnown]);

test.each<[string, readonly unknown[], Files, Files, Files]>([
  ['what is neither of both', [['test', 'one', 'a', false]], { test: 'c' }, { test: 'a' }, { test: 'b' }],
  ['what the run left', [], { test: 'b' }, { test: 'a' }, { test: 'b' }],
  ['what was put back', [], { test: 'a' }, { test: 'a' }, { test: 'b' }],
  ['what a person alone changed', [], { test: 'c' }, { test: 'a' }, { test: 'a' }],
])('V16 given a run that changed a test, %s is changed since: %j', (_what, found, now, base, end) => {
  expect(since(earlier('one', now, base, end))).toEqual(found);
});

test('V16 given runs that change one file in turn, what others changed since is followed to the first', () => {
  const now = { test: 'd' };
  const two = earlier('two', now, { test: 'b' }, { test: 'c' });
  expect(since(two, earlier('one', now, { test: 'a' }, { test: 'b' }))).toEqual([['test', 'one', 'a', false]]);
  // A run that has begun with it has named it.
  const three = earlier('three', now, now);
  expect(since(three, two)).toEqual([['test', 'two', 'b', true]]);
  const isApproved = (_path: string, was: TreeEntry | null) => was?.hash === 'c';
  expect(since({ ...two, isApproved })).toEqual([]);
});

test.each([
  ["f('a', [1,]);", 'f("a", [\n  1\n])\n', true],
  ["f('it\\'s')", 'f("it\'s")', true],
  ['f(1, 2)', 'f(1, 3)', false],
  ["f('a')", "f('b')", false],
])('V16 given %j and %j, they are the same but for their format: %j', (one, other, is) => {
  expect(sameButFormat(one, other)).toBe(is);
});
