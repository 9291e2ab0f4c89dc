import { describe, expect, test } from 'vitest';
import { contentHash, reportOf } from '../../src/strategies/report.ts';
import { workspaceHash, workspaceHashKind } from '../../src/detectors/workspace-hash.ts';
import { noTraits } from '../../src/detectors/traits.ts';
import { interrupted, iterationStarted, outcomeOf } from '../support/facts.ts';
import { type Attempt, findingsAt, foundIn, iterationOf, loopOf } from './folding.ts';

const stuck = { tree: 'a', prints: 'red' };

test('D6a three iterations that left the same files and results stop the loop, the second does not', () => {
  const facts = loopOf(stuck, stuck, stuck);
  const found = findingsAt(workspaceHash(), facts);
  const last = facts.at(-2);
  const hash = last?.type === 'verification.completed' ? contentHash(reportOf(last.payload), 'a') : '';
  expect(hash).toMatch(/^[0-9a-f]{16}$/);
  expect(found.filter((finding) => finding !== null)).toEqual([
    {
      detector: 'workspace-hash',
      level: 'stop',
      count: 3,
      message: `3 iterations in a row left the same files and the same check results (${hash})`,
      evidence: ['run/5', 'run/10', 'run/15'],
    },
  ]);
  expect(found[14]).not.toBeNull();
});

test('D6a other files, or another result, between starts again', () => {
  expect(foundIn(workspaceHash(), loopOf(stuck, stuck, { ...stuck, tree: 'b' }, stuck, stuck))).toEqual([]);
  expect(foundIn(workspaceHash(), loopOf(stuck, stuck, { ...stuck, prints: null }, stuck, stuck))).toEqual([]);
});

test('D6a what the checks print and how long they take never repeats, and does not count', () => {
  const noisy = ['1', '2', '3'].map((prints) => ({ tree: 'a', prints }));
  expect(foundIn(workspaceHash(), loopOf(...noisy))).toHaveLength(1);
});

test('D6a failed attempts count too; workspaces outside git and lost attempts do not', () => {
  const failed = { tree: 'a', outcome: outcomeOf('cap_hit') };
  expect(foundIn(workspaceHash(), loopOf(failed, failed, failed))).toHaveLength(1);
  expect(foundIn(workspaceHash(), loopOf(...[1, 2, 3, 4].map(() => ({ ...stuck, tree: null }))))).toEqual([]);
  const lost = [iterationStarted(0), interrupted('agent'), ...iterationOf({ tree: 'a' }).slice(2, 3)];
  expect(foundIn(workspaceHash(), [...loopOf(), ...lost, ...lost, ...lost])).toEqual([]);
});

test('D6a the last six are kept, and no threshold may exceed them', () => {
  const { kept } = [stuck, stuck, stuck, stuck, stuck, stuck, stuck].reduce(
    (state, attempt) =>
      iterationOf(attempt).reduce(
        (before, event, index) => workspaceHash().step(before, { ...event, run: 'r', version: index }).state,
        state,
      ),
    workspaceHash().init(),
  );
  expect(kept).toHaveLength(6);
  expect(workspaceHashKind.config.safeParse({ keep: 3, repeats: 4 }).error?.issues).toMatchObject([
    { path: ['repeats'] },
  ]);
});

describe('D6a+ iterations that undo each other', () => {
  const left = (tree: string): Attempt => ({ tree, prints: 'red' });
  const [a, b, c] = [left('a'), left('b'), left('c')];
  const counts = (...attempts: readonly Attempt[]) =>
    foundIn(workspaceHash(), loopOf(...attempts)).map(({ count }) => count);

  test('D6a+ two in turn stop the loop at the fourth, and three at the sixth', () => {
    expect(counts(a, b, a)).toEqual([]);
    expect(counts(a, b, a, b)).toEqual([4]);
    expect(counts(a, b, c, a, b)).toEqual([]);
    expect(counts(a, b, c, a, b, c)).toEqual([6]);
    expect(counts(a, a, b, a, a, b)).toEqual([6]);
    const [finding] = foundIn(workspaceHash(), loopOf(a, b, a, b));
    expect(finding).toMatchObject({ level: 'stop', evidence: ['run/5', 'run/10', 'run/15', 'run/20'] });
    expect(finding?.message).toMatch(
      /^4 iterations in a row left in turn the same files with the same check results \([0-9a-f]{16}, [0-9a-f]{16}\)$/,
    );
  });

  test('D6a+ another tree, or another check result, between them does not', () => {
    expect(counts(a, b, a, c)).toEqual([]);
    expect(counts(a, b, c, a, b)).toEqual([]);
    expect(counts({ ...a, prints: null }, b, a, b)).toEqual([]);
  });

  test('D6a+ the same files whose check comes and goes are no iterations that undo each other', () => {
    const green = { tree: 'a', prints: null };
    expect(counts(a, green, a, green, a, green)).toEqual([]);
  });

  test('D6a+ all the same are left to the number of repeats, and `keep` bounds the ring', () => {
    const patient = workspaceHashKind.create({ keep: 8, repeats: 8 }, noTraits);
    expect(foundIn(patient, loopOf(a, a, a, a, a, a, a))).toEqual([]);
    expect(foundIn(patient, loopOf(a, a, a, a, a, a, a, a))).toHaveLength(1);
    const forgetful = workspaceHashKind.create({ keep: 5, repeats: 3 }, noTraits);
    expect(foundIn(forgetful, loopOf(a, b, c, a, b, c))).toEqual([]);
  });
});

describe('D6a a change of notes and logs alone is no work', () => {
  const left = (tree: string, ...paths: readonly string[]) => ({ tree, paths });
  /** Iterations that leave a tree, with the files that have changed since the one before. */
  const found = (...attempts: readonly { tree: string; paths: readonly string[] }[]) =>
    foundIn(
      workspaceHash(),
      loopOf(...attempts.map(({ tree }) => ({ tree, prints: 'red' }))).map((fact, index) => {
        if (fact.type !== 'workspace.captured') return fact;
        const paths = attempts[Math.floor((index - 1) / 5)]?.paths ?? [];
        return {
          ...fact,
          payload: { ...fact.payload, changed: paths.map((path) => ({ path, added: 1, removed: 0 })) },
        };
      }),
    ).map(({ count }) => count);

  test('D6a an attempt that only writes down what it did leaves the same work', () => {
    expect(found(left('a', 'src/a.ts'), left('b', 'NOTES.md'), left('c', 'docs/progress.md', 'run.log'))).toEqual([3]);
    expect(found(left('a', 'src/a.ts'), left('b', 'NOTES.md'), left('b'))).toEqual([3]);
  });

  test('D6a beside another file it is work, and so is a change of which no file is listed', () => {
    expect(found(left('a', 'src/a.ts'), left('b', 'NOTES.md'), left('c', 'NOTES.md', 'src/a.ts'))).toEqual([]);
    expect(found(left('a', 'src/a.ts'), left('b'), left('c'))).toEqual([]);
    expect(found(left('a', 'README.md'), left('b', 'src/notes.ts'), left('c', 'docs/guide.md'))).toEqual([]);
  });
});
