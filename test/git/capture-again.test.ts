import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { testInTurn } from '../support/in-turn.ts';
import { capture, refOf } from './captured.ts';
import { git, repository, temporaryFolder } from './repository.ts';

afterEach(() => void vi.unstubAllEnvs());

const START = {
  '.gitignore': '*.log\n',
  'a.log': 'tracked, and ignored',
  'b.log': 'ignored',
  'cache/.gitignore': '*\n',
  'cache/file': 'ignored by its folder',
  private: 'ignored by the repository',
  file: '1',
};

/** Two captures of which nothing changed in between, so that the next one goes on from them. */
async function capturedTwice() {
  const { '.gitignore': rules, 'a.log': tracked, ...later } = START;
  const project = await repository({ '.gitignore': rules, 'a.log': tracked });
  await project.git('add', '--force', '--all');
  await project.commit();
  await project.write({ ...later, '.git/info/exclude': 'private\n' });
  await capture(project.root, 0);
  await capture(project.root, 1);
  const namesOf = async (number: number) => Object.keys(await project.filesOf(refOf(number))).toSorted();
  return { ...project, namesOf };
}
const CAPTURED = ['.gitignore', 'a.log', 'file'];

test('L9 a capture that goes on has what is new, and not what was ignored when the run began', async () => {
  const { root, git: inside, write, namesOf } = await capturedTwice();
  await write({ file: '2', more: '3', 'c.log': '4' });
  await inside('add', '--force', 'b.log');
  expect((await capture(root, 2)).changed).toEqual([
    { path: 'file', added: 1, removed: 1 },
    { path: 'more', added: 1, removed: 0 },
  ]);
  expect(await namesOf(2)).toEqual([...CAPTURED, 'more']);
});

testInTurn.each([
  ['a .gitignore', (root: string) => writeFile(join(root, '.gitignore'), '')],
  ['the rules of the repository', (root: string) => rm(join(root, '.git/info/exclude'))],
  ['the rules of a folder that ignores itself', (root: string) => rm(join(root, 'cache/.gitignore'))],
])('G10 a capture begins anew where %s changed', async (_, change) => {
  const { root, namesOf } = await capturedTwice();
  await change(root);
  await capture(root, 2);
  expect(await namesOf(2)).toEqual(CAPTURED);
});

test('G10 files that a new .gitignore hides are in the capture, and one that hides itself, too', async () => {
  const { root, write, namesOf } = await capturedTwice();
  await write({ 'new/.gitignore': 'hidden\n', 'new/hidden': '', '.ignored': '' });
  await capture(root, 2);
  expect(await namesOf(2)).toEqual([...CAPTURED, '.ignored', 'new/.gitignore', 'new/hidden'].toSorted());
  await write({ '.gitignore': '*\n', late: '' });
  await capture(root, 3);
  expect(await namesOf(3)).toEqual([...CAPTURED, '.ignored', 'late', 'new/.gitignore', 'new/hidden'].toSorted());
});

test('G10 a .gitignore of the top folder that hides all, and itself, hides nothing', async () => {
  const { root, git: inside, write } = await repository({ file: '1' });
  await inside('add', '--all');
  await capture(root, 0);
  await write({ '.gitignore': '*\n', late: '' });
  const { changed } = await capture(root, 1);
  expect(changed.map(({ path }) => path)).toEqual(['.gitignore', 'late']);
});

test('X4 it does where a repository within is new, so that its files are in the capture', async () => {
  const { root, namesOf } = await capturedTwice();
  await mkdir(join(root, 'within'));
  await git(root, 'init', '--quiet', 'within');
  await git(join(root, 'within'), 'commit', '--allow-empty', '--quiet', '--message=within');
  await writeFile(join(root, 'within/file'), '');
  await capture(root, 2);
  expect(await namesOf(2)).toEqual([...CAPTURED, 'within/file']);
});

test('L9 it does where its index was removed', async () => {
  const folder = await temporaryFolder();
  vi.stubEnv('TMPDIR', folder);
  const { root, namesOf } = await capturedTwice();
  const [kept = '', ...more] = (await readdir(folder)).filter((name) => name.startsWith('loopfold-index-'));
  expect(more).toEqual([]);
  await rm(join(folder, kept, 'index'));
  await capture(root, 2);
  expect(await namesOf(2)).toEqual(CAPTURED);
});
