import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { factsBefore, FILES, night, refsOf, SUMS, treeWith } from './night.ts';
import { killedAt } from './killed.ts';
import { oneProcess, RUN } from './one-process.ts';
import { tenthOf } from '../../../support/tenth.ts';

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
