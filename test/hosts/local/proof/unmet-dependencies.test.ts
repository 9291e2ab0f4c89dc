import { join } from 'node:path';
import { expect, test } from 'vitest';
import { proofRepository } from '../../../../src/git/worktree/proof-repository.ts';
import { trueEntries } from '../../../../src/git/worktree/true-trees.ts';
import { originRepository } from '../../../../src/git/worktree/origin-repository.ts';
import { repository, temporaryFolder } from '../../../git/repository.ts';
import { byPath } from '../../../../src/verification/trees-by-path.ts';
import { unmetDependencies } from '../../../../src/verification/unmet-dependencies.ts';
import { toldRun } from '../../../evidence/told-run.ts';
import { NODE_TESTS } from '../../../support/node-tests.ts';
import { testInTurn } from '../../../support/in-turn.ts';
import { NODE, RIGHT } from '../../../evidence/projects.ts';
import type { Files } from '../../../evidence/story.ts';

const manifest = (wanted: string) => `${JSON.stringify({ type: 'module', dependencies: { ms: wanted } })}\n`;
const lock = (ms: string, deep: string) =>
  JSON.stringify({ packages: { 'node_modules/ms': { version: ms }, 'node_modules/deep': { version: deep } } });
const installed = (version: string) => JSON.stringify({ version });

/** What does not agree once work has changed files of a project. */
async function unmetAfter(start: Files, work: Files, ignored: Files, prepare: readonly string[] = []) {
  const { root, git, write, commit } = await repository({ '.gitignore': 'node_modules\n.venv\n', ...start });
  await commit();
  const base = (await git('rev-parse', 'HEAD^{tree}')).trim();
  await write(work);
  await commit();
  await write(ignored);
  const first = (await git('rev-parse', 'HEAD^{tree}')).trim();
  const origin = await originRepository(root);
  if (origin === null) throw new Error('no repository');
  const call = await proofRepository(await temporaryFolder(), origin);
  const [before, after] = [byPath(await trueEntries(base, call)), byPath(await trueEntries(first, call))];
  const plan = { base: before, trees: [after, after] as const };
  const dependencies = ['node_modules', '.venv'].filter((folder) =>
    Object.keys(ignored).some((path) => path.startsWith(`${folder}/`)),
  );
  const found = await unmetDependencies({ origin, prepare, checks: [] }, { plan, dependencies, call } as never);
  return found.map(({ name, asked, wanted, installed: has }) => [name, asked, wanted, has].join(' '));
}

const START = { 'package.json': manifest('^2.0.0'), 'package-lock.json': lock('2.1.3', '1.0.0') };
const INSTALLED = {
  'node_modules/ms/package.json': installed('2.1.3'),
  'node_modules/deep/package.json': installed('1.0.0'),
};

test('V17 given an untouched project, when its packages are compared, then nothing is unmet', async () => {
  expect(await unmetAfter(START, { 'a.js': '' }, INSTALLED)).toEqual([]);
});

test('V17 given a changed manifest and lockfile, then what is installed does not meet them', async () => {
  const work = { 'package.json': manifest('^3.0.0'), 'package-lock.json': lock('3.0.0', '1.1.0') };
  expect(await unmetAfter(START, work, INSTALLED)).toEqual([
    'ms package.json ^3.0.0 2.1.3',
    'ms package-lock.json 3.0.0 2.1.3',
    'deep package-lock.json 1.1.0 1.0.0',
  ]);
  expect(await unmetAfter(START, work, INSTALLED, ['npm ci'])).toEqual([]);
});

test('V17 given packages that git keeps, or an environment of Python, then they are compared, too', async () => {
  const kept = { '.gitignore': '', 'node_modules/ms/package.json': installed('1.0.0') };
  expect(await unmetAfter({ ...START, ...kept }, { 'a.js': '' }, {})).toContain('ms package.json ^2.0.0 1.0.0');
  const python = (settings: string) => ({
    '.venv/pyvenv.cfg': settings,
    '.venv/lib/python3.12/site-packages/six-1.15.0.dist-info/METADATA': '',
  });
  const asked = { 'requirements.txt': 'six>=1.16\n' };
  expect(await unmetAfter(asked, { 'a.py': '' }, python(''))).toEqual(['six requirements.txt >=1.16 1.15.0']);
  expect(await unmetAfter(asked, { 'a.py': '' }, python('include-system-site-packages = true\n'))).toEqual([]);
});

testInTurn(
  'V17 given a bump whose installation failed, when a run ends, then it is weak and says which package',
  async () => {
    const project = {
      checks: [`L1:${NODE_TESTS}`],
      files: { ...NODE.files, 'package.json': manifest('^2.0.0') },
      installed: { [join('node_modules', 'ms', 'package.json')]: installed('2.1.3') },
    };
    const told = await toldRun(project, { write: { 'src/sum.js': RIGHT, 'package.json': manifest('^3.0.0') } });
    expect(told).toMatchObject({
      ending: 'success',
      grade: 'weak',
      because: ['dependencies-unmet'],
      isEnough: false,
      proof: { dependenciesUnmet: [{ name: 'ms', asked: 'package.json', wanted: '^3.0.0', installed: '2.1.3' }] },
    });
  },
);
