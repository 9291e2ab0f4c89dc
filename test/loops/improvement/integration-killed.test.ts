import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CANDIDATE, factsBefore, FILES, night, refsOf, SUMS, treeWith } from './night.ts';
import { killedAt } from './killed.ts';
import { oneProcess, RUN } from './one-process.ts';
import { tenthOf } from '../../support/tenth.ts';

const BRANCH = `loopfold/${RUN}`;
const FIX = { 'sum.js': SUMS.fixed, 'new/file.txt': 'new\n', 'sum.test.js': `${FILES['sum.test.js']}// more\n` };

const MOMENTS = [
  'rename 1',
  'rename 2',
  'workspace.captured',
  'baseline.taken',
  'branch before',
  'branch after',
] as const;

test.each(tenthOf(MOMENTS))(
  'I3 an integration that is killed at "%s" is finished by the next process, once',
  async (moment) => {
    const at = await night();
    const untouched = await at.untouched();
    const tree = await treeWith(at, at.base, FIX);
    const facts = await factsBefore(at, tree);
    const recorded = await killedAt(moment, 'integrateCandidate', { ...at, facts });
    const { run, memory } = oneProcess(at.settings, at.store, [...facts, ...recorded]);
    const events = await run('integrateCandidate');
    expect([...recorded, ...events].map(({ type }) => type)).toEqual([
      'workspace.captured',
      'baseline.taken',
      'integration.completed',
    ]);
    expect(await at.git('log', '--format=%P', `${at.head}..${BRANCH}`)).toBe(`${at.head}\n`);
    expect(await at.filesOf(BRANCH)).toEqual({ ...FILES, ...FIX });
    const { directory } = at.settings;
    expect(await readFile(join(directory, 'sum.js'), 'utf8')).toBe(SUMS.fixed);
    expect((await readdir(directory)).filter((name) => name.endsWith('.draft'))).toEqual([]);
    expect((await refsOf(at.root)).get('1')).toBe(tree);
    expect(memory).toMatchObject({ captured: tree, baseline: { workspace: tree } });
    const present = await at.untouched();
    expect({ ...present, heads: present.heads.replace(/.*loopfold\/.*\n/g, '') }).toEqual(untouched);
  },
);

test('I3 what was killed before it was recorded, and is worse, leaves nothing behind', async () => {
  const at = await night();
  const tree = await treeWith(at, at.base, { ...FIX, 'sum.js': SUMS.broken });
  const facts = await factsBefore(at, tree);
  await killedAt('rename 2', 'integrateCandidate', { ...at, facts });
  const events = await oneProcess(at.settings, at.store, facts).run('integrateCandidate');
  expect(events).toMatchObject([{ type: 'integration.failed', payload: { reverted: true } }]);
  expect((await readdir(at.settings.directory)).toSorted()).toEqual(
    [...Object.keys(FILES), '.git', 'node_modules'].toSorted(),
  );
  expect(await readFile(join(at.settings.directory, 'sum.js'), 'utf8')).toBe(FILES['sum.js']);
});

test('I3 where the branch was moved after a kill, the checks of the head are known again', async () => {
  const at = await night();
  const tree = await treeWith(at, at.base, FIX);
  const facts = await factsBefore(at, tree);
  const recorded = await killedAt('baseline.taken', 'integrateCandidate', { ...at, facts });
  const other = (await at.git('commit-tree', `${at.head}^{tree}`, '-p', at.head, '-m', 'mine')).trim();
  await at.git('update-ref', `refs/heads/${BRANCH}`, other);
  const { run, memory } = oneProcess(at.settings, at.store, [...facts, ...recorded]);
  const events = await run('integrateCandidate');
  expect(events.map(({ type }) => type)).toEqual(['workspace.captured', 'baseline.taken', 'integration.failed']);
  expect(memory).toMatchObject({ captured: at.base, baseline: { workspace: at.base, passed: false } });
  expect(await readFile(join(at.settings.directory, 'sum.js'), 'utf8')).toBe(FILES['sum.js']);
});

/** What is known of an integration that was killed, and is not started again. */
async function lostAt(moment: string, options: object = {}) {
  const at = await night({ options });
  const tree = await treeWith(at, at.base, FIX);
  const facts = await factsBefore(at, tree);
  const recorded = await killedAt(moment, 'integrateCandidate', { ...at, facts });
  const sum = () => readFile(join(at.settings.directory, 'sum.js'), 'utf8');
  const process = oneProcess(at.settings, at.store, [...facts, ...recorded]);
  const lose = () => process.reconcile('integrateCandidate');
  return { ...at, ...process, tree, sum, lose };
}

const opening = { phases: { integrate: { requireApproval: true, prCommand: 'exit 1' } } };

test('I3 a cancelled integration that was killed after its commit is completed, without another command', async () => {
  const { git, tree, sum, lose } = await lostAt('branch after', opening);
  const commit = (await git('rev-parse', BRANCH)).trim();
  const payload = { candidate: CANDIDATE.id, branch: BRANCH, commit, to: 'head', tree, request: expect.any(String) };
  expect(await lose()).toEqual({ type: 'integration.completed', payload });
  expect(await sum()).toBe(SUMS.fixed);
});

test('I3 a cancelled integration whose branch was checked out after the kill is told as completed', async () => {
  const { git, lose } = await lostAt('branch after');
  await git('switch', '--quiet', BRANCH);
  expect(await lose()).toMatchObject({ type: 'integration.completed' });
});

test.each(tenthOf(['rename 2', 'baseline.taken', 'branch before']))(
  'I9 a cancelled integration that was killed at "%s" has made no commit, and leaves the files of the head',
  async (moment) => {
    const { git, sum, lose } = await lostAt(moment);
    expect(await lose()).toBeNull();
    expect(await sum()).toBe(FILES['sum.js']);
    expect(await git('branch', '--list', BRANCH)).toBe('');
  },
);

test('I3 a cancelled integration on a branch of its own leaves the head as it is', async () => {
  const { base, sum, lose } = await lostAt('branch after', { phases: { integrate: { enabled: false } } });
  const branch = `${BRANCH}-${CANDIDATE.id}`;
  expect(await lose()).toMatchObject({ payload: { branch, tree: base, to: 'branch' } });
  expect(await sum()).toBe(FILES['sum.js']);
});

test('I3 an integration that is resumed and cancelled at once, with its commit made before, is completed', async () => {
  const { run, sum } = await lostAt('branch after');
  const events = await run('integrateCandidate', { signal: AbortSignal.abort('abort') });
  expect(events.map(({ type }) => type)).toEqual(['integration.completed']);
  expect(await sum()).toBe(SUMS.fixed);
});

test('I3 an integration goes on where its branch was checked out after the kill', async () => {
  const { git, run } = await lostAt('branch after');
  await git('switch', '--quiet', BRANCH);
  expect((await run('integrateCandidate')).map(({ type }) => type)).toEqual(['integration.completed']);
});
