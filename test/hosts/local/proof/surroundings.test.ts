import { chmod, link, mkdir, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testInTurn } from '../../../support/in-turn.ts';
import { NODE_TESTS } from '../../../support/node-tests.ts';
import { foundTools } from '../../../../src/actors/proof/check-tools.ts';
import { dependencyDigests } from '../../../../src/actors/proof/dependency-digests.ts';
import { isUntimed } from '../../../../src/actors/proof/time-faults.ts';
import { changedFolders, changedTools, inFolders, programsOf } from '../../../../src/evidence/surroundings-change.ts';
import { scriptedModel } from '../../../../src/actors/model/model-script.ts';
import { gradeOf } from '../../../../src/evidence/grade.ts';
import { Loops } from '../../../../src/hosts/local/local-host.ts';
import type { RecordedProof } from '../../../../machines/recorded-proof.ts';
import type { RunOptions } from '../../../../src/config/options.ts';
import { HAS_WALLS } from './proof-project.ts';
import { memoryLog } from '../../../../src/log/sqlite/engine.ts';
import { repository, temporaryFolder } from '../../../git/repository.ts';
import { tool } from '../../../support/stand-ins.ts';

const FOLDERS = ['node_modules'];
const BACK = new Date('2020-01-01T00:00:00Z');

async function installed() {
  const root = await temporaryFolder();
  const folder = join(root, 'node_modules/a');
  await mkdir(folder, { recursive: true });
  for (const name of ['x.js', 'y.js']) {
    await writeFile(join(folder, name), 'old');
    await utimes(join(folder, name), BACK, BACK);
  }
  const digests = () => dependencyDigests(root, FOLDERS);
  return { root, folder, before: await digests(), digests };
}

test.each<[string, (folder: string) => Promise<unknown>, readonly string[] | null]>([
  ['nothing', async () => {}, []],
  ['a file that was removed', (folder) => rm(join(folder, 'y.js')), FOLDERS],
  ['a file more', (folder) => writeFile(join(folder, 'z.js'), ''), FOLDERS],
  ['a mode', (folder) => chmod(join(folder, 'x.js'), 0o755), FOLDERS],
  [
    'a file of a cache',
    (folder) => mkdir(join(folder, '../.vite')).then(() => writeFile(join(folder, '../.vite/c'), '')),
    [],
  ],
  ['a worktree that shares a file', (folder) => link(join(folder, 'x.js'), join(folder, '../../other')), null],
])('V3 dependencies: %s', async (_what, change, changed) => {
  const { folder, before, digests } = await installed();
  await change(folder);
  expect(changedFolders(before, await digests())).toEqual(changed);
});

test('V3 dependencies: a file that was written, its time put back, where times tell less than content', async () => {
  const { folder, before, digests } = await installed();
  await writeFile(join(folder, 'x.js'), 'new');
  await utimes(join(folder, 'x.js'), BACK, BACK);
  expect(changedFolders(before, await digests())).toEqual((await isUntimed(folder)) ? FOLDERS : null);
});

test('V3 dependencies: a file outside of the workspace that a link leads to', async () => {
  const outside = await temporaryFolder();
  await mkdir(join(outside, '.git'));
  await writeFile(join(outside, 'x.js'), 'old');
  const { root, digests } = await installed();
  await symlink(outside, join(root, 'node_modules/b'));
  await symlink('a', join(root, 'node_modules/c'));
  await symlink(join(outside, 'missing'), join(root, 'node_modules/d'));
  const before = await digests();
  await writeFile(join(outside, '.git/index'), '');
  await mkdir(join(root, 'packages'));
  expect(changedFolders(before, await digests())).toEqual([]);
  await writeFile(join(outside, 'x.js'), 'newer');
  expect(changedFolders(before, await digests())).toEqual(FOLDERS);
});

test('V3 dependencies: a folder that was not there, and one that is gone', async () => {
  const { before } = await installed();
  expect(changedFolders([], before)).toEqual(FOLDERS);
  expect(changedFolders(before, [])).toEqual(FOLDERS);
  expect(changedFolders(before, null)).toBe(null);
});

test.each([
  ['vendor', 'vendor/a.go', true],
  ['vendor/', 'app/vendor/a.go', true],
  ['lib/deps', 'lib/deps/a.js', true],
  ['lib/deps', 'app/lib/deps/a.js', false],
  ['vendor', 'vendors/a.go', false],
  ['', 'a.go', false],
])('V3 what git keeps below %j: %s, %s', (folder, path, is) => {
  expect(inFolders([folder])(path)).toBe(is);
});

test('V3 the programs of a check are those that it starts, and what starts them', () => {
  expect(programsOf(['npx vitest run && pytest -q', 'npm test'])).toEqual(['npx', 'vitest', 'pytest', 'npm']);
});

test('V3 a program is another one where it is found elsewhere, or was changed, with what it is run by', async () => {
  const [home, earlier] = [await temporaryFolder(), await temporaryFolder()];
  const program = async (folder: string, name: string, text: string) => {
    await writeFile(join(folder, name), text);
    await chmod(join(folder, name), 0o755);
  };
  await program(home, 'runner', '#!/usr/bin/env engine\n');
  await program(home, 'engine', 'old');
  await utimes(join(home, 'engine'), BACK, BACK);
  const look = () => foundTools(['runner', 'cat', 'absent'], `${earlier}:${home}:/usr/bin`, []);
  const before = await look();
  expect(before.map(({ name }) => name)).toEqual(['runner', 'cat', 'absent', 'engine']);
  expect(changedTools(before, await look())).toEqual([]);
  await writeFile(join(home, 'engine'), 'new');
  await utimes(join(home, 'engine'), BACK, BACK);
  expect(changedTools(before, await look())).toEqual(['engine']);
  await program(earlier, 'cat', 'shadow');
  expect(changedTools(before, await look())).toEqual(['cat', 'engine']);
  // What lies in a workspace is its work, or a dependency.
  const own = await foundTools(['engine'], home, [home]);
  await writeFile(join(home, 'engine'), 'newer');
  expect(changedTools(own, await foundTools(['engine'], home, [home]))).toEqual([]);
});

const NODE_TEST = `import { it } from 'node:test';
import assert from 'node:assert';
import { sum } from '../sum.js';
it('adds', () => assert.equal(sum(1, 2), 3));
`;

/** What the newest verification of a run recorded of an honest fix, by an agent that does something more. */
async function fixed(more: Partial<RunOptions>, does: (directory: string) => Promise<unknown> = async () => {}) {
  const { root, commit, write } = await repository({
    '.gitignore': '.loopfold\nnode_modules\n',
    'package.json': '{ "type": "module" }',
    'sum.js': 'export const sum = (a, b) => a - b;\n',
    'test/sum.test.js': NODE_TEST,
  });
  await commit();
  await write({ 'node_modules/a/index.js': 'export {};\n', 'node_modules/a/other.js': 'export {};\n' });
  const log = memoryLog();
  const one = tool('work', async (_input, { directory }) => {
    await writeFile(join(directory, 'sum.js'), 'export const sum = (a, b) => a + b;\n');
    await does(directory);
    return { output: '' };
  });
  const answers = [{ calls: [{ tool: 'work', arguments: {} }] }, { text: 'done' }];
  const loops = new Loops({ log, model: scriptedModel({ answers }), tools: [one] });
  const checks = [{ level: 'L1' as const, name: 'tests', command: NODE_TESTS }];
  const live = await loops.start({ prompt: 'x', directory: root, tools: ['work'], checks, ...more });
  expect(await live.done).toMatchObject({ outcome: { ending: 'success' } });
  let proof: RecordedProof | undefined;
  for await (const { type, payload } of log.read(live.run)) {
    if (type === 'verification.completed') proof = (payload as { proof?: RecordedProof }).proof;
  }
  if (!proof) throw new Error('nothing was proven');
  return { proof, grade: gradeOf(proof) };
}

testInTurn('V5 an honest fix of an isolated run is no weaker for its copied dependencies', async () => {
  const { proof, grade } = await fixed({ isolate: 'worktree' });
  expect(proof).toMatchObject({ dependenciesChanged: 0, toolsChanged: [] });
  expect(grade.grade).toBe(HAS_WALLS ? 'witnessed' : 'verified');
});

testInTurn(
  'V5 a file of a dependency that the work has removed makes it weak, and is named by its folder',
  async () => {
    const remove = (directory: string) => rm(join(directory, 'node_modules/a/other.js'));
    const { proof, grade } = await fixed({}, remove);
    expect(proof).toMatchObject({ dependenciesChanged: 1, dependenciesNamed: ['node_modules'] });
    expect(grade).toEqual({ grade: 'weak', because: ['dependencies-changed'] });
  },
);
