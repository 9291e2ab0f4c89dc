import { expect, test } from 'vitest';
import { type EarlierRun, leftByRuns } from '../../src/evidence/inherited-grounds.ts';
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

test('V2 what a run changed, added and removed is what was there before', () => {
  const now = { changed: 'weak', added: 'new', same: 'x' };
  const base = { changed: 'strict', removed: 'old', same: 'x' };
  expect(left(earlier('one', now, base))).toEqual({
    changed: ['one', 'strict'],
    added: ['one', null],
    removed: ['one', 'old'],
  });
});

test('V2 what a person has changed since is theirs', () => {
  expect(left(earlier('one', { test: 'mended' }, { test: 'strict' }, { test: 'weak' }))).toEqual({});
});

test('V2 several runs that change one file in turn are followed to what was there before the first', () => {
  const now = { test: 'c' };
  expect(left(earlier('two', now, { test: 'b' }), earlier('one', now, { test: 'a' }, { test: 'b' }))).toEqual({
    test: ['one', 'a'],
  });
});

test('V2 a change that a later run took back is not one', () => {
  const now = { test: 'a' };
  expect(left(earlier('two', now, { test: 'b' }), earlier('one', now, { test: 'a' }, { test: 'b' }))).toEqual({});
});

test('V2 a run that went by what was there before an earlier one hands that on', () => {
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
