import { expect, test } from 'vitest';
import { formatOf } from '../../src/git/object-hash.ts';
import { treeEntries } from '../../src/git/tree-change.ts';
import { changedTree, isTree, treeHash } from '../../src/git/tree-hash.ts';
import { trueEntries, writeChanged, writeTree } from '../../src/git/worktree/true-trees.ts';
import type { TreeEntry } from '../../src/evidence/tree-entry.ts';
import { fc } from '../support/fast-check.ts';
import { tenthOfMany } from '../support/tenth.ts';
import { repository } from './repository.ts';

/** Folders that are files in other trees, and names whose order in a tree is not that of their text. */
const NAMES = ['a', 'a/b', 'a/b/c', 'a.b', 'a0', 'a-', 'd/e', 'd/e/f', 'd/g', 'ü ö/h', 'z'].map((name) =>
  Buffer.from(name).toString('latin1'),
);
const entry = fc.record({
  mode: fc.constantFrom('100644', '100755', '120000', '160000'),
  hash: fc.constantFrom('1', '2', '3').map((digit) => digit.repeat(40)),
});
const tree = fc.dictionary(fc.constantFrom(...NAMES), entry, { noNullPrototype: true }).map(withoutClashes);

/** No file lies in what is a file. */
function withoutClashes(entries: Readonly<Record<string, TreeEntry>>): ReadonlyMap<string, TreeEntry> {
  const names = Object.keys(entries).toSorted();
  const isIn = (name: string) => names.some((other) => name.startsWith(`${other}/`));
  return new Map(names.filter((name) => !isIn(name)).map((name) => [name, entries[name] ?? failed()]));
}

const failed = (): never => {
  throw new Error('a name has no entry');
};

const differences = (from: ReadonlyMap<string, TreeEntry>, to: ReadonlyMap<string, TreeEntry>) =>
  new Map([...new Set([...from.keys(), ...to.keys()])].map((name) => [name, to.get(name) ?? null] as const));

test('V3 given a known tree, when some of its files change, then it has the hash and the order of the new one', () => {
  fc.assert(
    fc.property(tree, tree, (from, to) => {
      const [before, after] = [from, to].map((entries) => treeHash(entries, 'sha1'));
      expect(isTree(before ?? '', from)).toBe(true);
      const found = changedTree(before ?? '', differences(from, to));
      expect(found?.tree).toBe(after);
      expect([...(found?.entries ?? [])]).toEqual([...to]);
      // The one that it was made of is as it was.
      expect(changedTree(before ?? '', new Map())?.tree).toBe(before);
    }),
    { numRuns: tenthOfMany(2_000) },
  );
});

test('V3 given a tree, when one that differs is written, then git reads what it would have written', async () => {
  for (const options of [[], ['--object-format=sha256']]) {
    const { root, git, write, commit } = await repository({ 'a/b/c': '1', 'a/d': '2', e: '3', 'ü ö/f': '4' }, options);
    await commit();
    const start = (await git('rev-parse', 'HEAD^{tree}')).trim();
    await write({ 'a/b/c': 'other', 'new/g': '5' });
    await git('rm', '--quiet', '-r', 'ü ö', 'e');
    await git('add', '--all');
    const wanted = (await git('write-tree')).trim();
    await git('prune', '--expire=now');
    const call = { directory: root, index: `${root}/.git/other` };
    const g = (await git('hash-object', '-w', 'new/g')).trim();
    const folder = Buffer.from('ü ö/f').toString('latin1');
    const tree = await writeChanged(
      start,
      new Map([
        ['a/b/c', { text: 'other' }],
        ['new/g', { mode: '100644', hash: g }],
        ['e', null],
        [folder, null],
        ['none', { text: 'is not there' }],
      ]),
      call,
    );
    expect(tree).toBe(wanted);
    expect(formatOf(tree)).toBe(options.length === 0 ? 'sha1' : 'sha256');
    expect(await git('fsck', '--full', '--no-dangling', tree)).toBe('');
    const entries = await treeEntries(tree, call);
    expect(await writeTree(entries, call)).toBe(wanted);
    expect([...(await trueEntries(tree, call, start))]).toEqual([...entries]);
  }
});
