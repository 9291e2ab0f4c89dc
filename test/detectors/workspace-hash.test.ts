import { expect, test } from 'vitest';
import { contentHash, reportOf } from '../../src/strategies/report.ts';
import { workspaceHash, workspaceHashKind } from '../../src/detectors/workspace-hash.ts';
import { interrupted, iterationStarted, outcomeOf } from '../support/facts.ts';
import { findingsAt, foundIn, iterationOf, loopOf } from './folding.ts';

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

test('D6a the last five are kept, and no threshold may exceed them', () => {
  const { kept } = [stuck, stuck, stuck, stuck, stuck, stuck, stuck].reduce(
    (state, attempt) =>
      iterationOf(attempt).reduce(
        (before, event, index) => workspaceHash().step(before, { ...event, run: 'r', version: index }).state,
        state,
      ),
    workspaceHash().init(),
  );
  expect(kept).toHaveLength(5);
  expect(workspaceHashKind.config.safeParse({ keep: 3, repeats: 4 }).error?.issues).toMatchObject([
    { path: ['repeats'] },
  ]);
});
