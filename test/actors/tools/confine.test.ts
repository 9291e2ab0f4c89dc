import { mkdir, mkdtemp, realpath, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { confine as confineTo } from '../../../src/actors/tools/confine.ts';
import { workspace } from './workspace.ts';

const confine = async (directory: string, path: string, readable: readonly string[] = []) =>
  (await confineTo({ directory, readable }, path)).real;

const refusal = (why: string) => ({ name: 'ToolRefusal', code: 'path_refused', message: expect.stringContaining(why) });

describe('a path inside the workspace', () => {
  test.each([
    ['a.txt', 'a.txt'],
    ['./sub//a.txt', 'sub/a.txt'],
    ['new/folder/file.ts', 'new/folder/file.ts'],
    ['.', ''],
    ['.gitignore', '.gitignore'],
    ['...', '...'],
    ['..hidden', '..hidden'],
  ])('%s', async (path, place) => {
    const { directory } = await workspace({ 'a.txt': '', 'sub/a.txt': '' });
    expect(await confine(directory, path)).toBe(join(directory, place));
  });

  test('may be absolute', async () => {
    const { directory } = await workspace();
    expect(await confine(directory, join(directory, 'a.txt'))).toBe(join(directory, 'a.txt'));
  });

  test('may go through links that stay inside', async () => {
    const { directory } = await workspace({ 'sub/a.txt': '' });
    await symlink('sub', join(directory, 'link'));
    expect(await confine(directory, 'link/new.txt')).toBe(join(directory, 'sub/new.txt'));
  });
});

describe('a path that leads elsewhere is refused', () => {
  test.each([
    ['..', 'contains ".."'],
    ['sub/../a.txt', 'contains ".."'],
    ['sub\\..\\..\\a.txt', 'contains ".."'],
    ['/etc/passwd', 'outside'],
    ['/', 'outside'],
    ['a\0.txt', 'null byte'],
    ['.git/config', '.git is off limits'],
    ['.GIT/config', '.GIT is off limits'],
    ['sub/.git', '.git is off limits'],
    ['.loopfold/log.db', '.loopfold is off limits'],
  ])('%j', async (path, why) => {
    const { directory } = await workspace({ 'sub/a.txt': '' });
    await expect(confine(directory, path)).rejects.toMatchObject(refusal(why));
  });

  test('a folder whose name begins like that of the workspace', async () => {
    const { directory } = await workspace();
    await expect(confine(directory, `${directory}-beside/a.txt`)).rejects.toMatchObject(refusal('outside'));
  });

  test('links that lead out, back to what is off limits, to nowhere, or in a circle', async () => {
    const { directory } = await workspace({ '.git/config': '' });
    const outside = await realpath(await mkdtemp(join(tmpdir(), 'outside-')));
    onTestFinished(() => rm(outside, { recursive: true }));
    await mkdir(join(directory, 'sub'));
    await symlink(outside, join(directory, 'sub/out'));
    await symlink('.git', join(directory, 'records'));
    await symlink(join(outside, 'not-yet'), join(directory, 'nowhere'));
    await symlink('sub', join(directory, '.loopfold'));
    await symlink('circle', join(directory, 'circle'));
    await expect(confine(directory, 'sub/out/new/file.txt')).rejects.toMatchObject(refusal('outside'));
    await expect(confine(directory, 'records/config')).rejects.toMatchObject(refusal('off limits'));
    await expect(confine(directory, '.loopfold/log.db')).rejects.toMatchObject(refusal('off limits'));
    await expect(confine(directory, 'nowhere')).rejects.toMatchObject(refusal('to nowhere'));
    await expect(confine(directory, 'nowhere/file.txt')).rejects.toMatchObject(refusal('to nowhere'));
    await expect(confine(directory, 'circle')).rejects.toMatchObject({ message: expect.stringContaining('circle') });
  });
});
