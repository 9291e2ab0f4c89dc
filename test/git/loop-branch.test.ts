import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { commitToBranch, plannedCommit } from '../../src/git/bring/loop-branch.ts';
import { repository, temporaryFolder } from './repository.ts';

afterEach(() => void vi.unstubAllEnvs());

const BRANCH = 'loopfold/night';

/** How often git was asked meanwhile what the branch is at. */
async function asked<Result>(work: () => Promise<Result>): Promise<[times: number, result: Result]> {
  const events = join(await temporaryFolder(), 'events');
  vi.stubEnv('GIT_TRACE2_EVENT', events);
  const result = await work();
  vi.unstubAllEnvs();
  const said = (await readFile(events, 'utf8'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const times = said.filter(({ event, argv }) => event === 'start' && argv.includes(`refs/heads/${BRANCH}`)).length;
  return [times, result];
}

test('I3 git is asked once where the branch of a loop is: for a commit that is new, made, or too late', async () => {
  const { root, commit, git, write } = await repository({ 'a.txt': 'a\n' });
  await commit();
  const parent = (await git('rev-parse', 'HEAD')).trim();
  await write({ 'a.txt': 'changed\n' });
  await git('add', '--all');
  const to = (await git('write-tree')).trim();
  const of = { branch: BRANCH, parent, from: `${parent}^{tree}`, to, leaveOut: [], message: 'a change' };
  const call = { directory: root };

  const [first, fresh] = await asked(() => plannedCommit(of, call));
  expect([first, fresh]).toMatchObject([1, { kind: 'planned', tip: null, isMade: false }]);
  if (fresh.kind !== 'planned') throw new TypeError(fresh.kind);
  const made = await commitToBranch(fresh, call);
  const [second, again] = await asked(() => plannedCommit(of, call));
  expect([second, again]).toMatchObject([1, { kind: 'planned', tip: made, tree: to, isMade: true }]);
  const [third, other] = await asked(() => plannedCommit({ ...of, message: 'another' }, call));
  expect([third, other]).toEqual([1, { kind: 'moved', tip: made }]);
});
