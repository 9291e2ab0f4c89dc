import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { MAX_CHANGED_FILES } from '../../src/actors/capture/capture-actor.ts';
import { testInTurn } from '../support/in-turn.ts';
import { capture, captureEvents, refOf } from './captured.ts';
import { repository } from './repository.ts';

describe('L9 what has changed is told against the capture before', () => {
  test('L9 else against the last commit, else against nothing', async () => {
    const { root, write, commit, git } = await repository({ file: '1\n' });
    expect((await capture(root)).changed).toEqual([{ path: 'file', added: 1, removed: 0 }]);
    await write({ file: '1\n2\n', other: '' });
    expect((await capture(root, 1)).changed).toEqual([
      { path: 'file', added: 1, removed: 0 },
      { path: 'other', added: 0, removed: 0 },
    ]);
    await commit();
    expect((await capture(root, 2)).changed).toEqual([]);
    await write({ other: '1\n' });
    expect((await capture(root, 3)).changed).toEqual([{ path: 'other', added: 1, removed: 0 }]);
    await write({ file: '' });
    expect((await capture(root, 4)).changed).toEqual([{ path: 'file', added: 0, removed: 2 }]);
    await git('update-ref', '-d', refOf(3));
    expect((await capture(root, 4)).changed).toEqual([
      { path: 'file', added: 0, removed: 2 },
      { path: 'other', added: 1, removed: 0 },
    ]);
  });

  test('L9 an empty worktree has no changes, but a hash', async () => {
    const { root } = await repository();
    const emptyTree = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';
    expect(await capture(root)).toEqual({ hash: emptyTree, ref: refOf(0), changed: [] });
  });

  test('L9 in a repository of longer hashes too', async () => {
    const { root } = await repository({ file: '1\n' }, ['--object-format=sha256']);
    expect(await capture(root)).toMatchObject({
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      changed: [{ path: 'file', added: 1, removed: 0 }],
    });
  });

  test('L9 a moved file is one that went and one that came', async () => {
    const { root } = await repository({ from: 'same\n' });
    await capture(root);
    await rename(join(root, 'from'), join(root, 'to'));
    expect((await capture(root, 1)).changed).toEqual([
      { path: 'from', added: 0, removed: 1 },
      { path: 'to', added: 1, removed: 0 },
    ]);
  });

  test('L9 lines of a binary file are not counted', async () => {
    const { root } = await repository({ binary: Uint8Array.of(0, 1, 2) });
    expect((await capture(root)).changed).toEqual([{ path: 'binary', added: null, removed: null }]);
  });

  test('L9 a file may have any name', async () => {
    const names = ['\uFEFFmark', ' lead', '"quoted"', '*', ':(top)x', 'ein Ätsch', 'tab\there', 'two\nlines', '\\251'];
    const { root } = await repository(Object.fromEntries(names.map((name) => [name, ''])));
    await writeFile(Buffer.from(`${root}/no-utf8-\xFF\xA9`, 'latin1'), '');
    const paths = (await capture(root)).changed.map(({ path }) => path);
    expect(paths.toSorted()).toEqual([...names, '"no-utf8-\\377\\251"'].toSorted());
  });

  testInTurn('L9 of very many changes the first are listed, and the cut is told', async () => {
    const { root, commit } = await repository({ file: '1\n' });
    await commit();
    const count = MAX_CHANGED_FILES + 1;
    await Promise.all(Array.from({ length: count }, (_, index) => writeFile(join(root, `file ${index}`), '')));
    const [warning, captured] = await captureEvents(root);
    const message = `${MAX_CHANGED_FILES} of ${count} changed files are listed.`;
    expect(warning).toEqual({ type: 'warning.raised', payload: { code: 'changes_cut', message } });
    expect(captured).toHaveProperty('payload.changed.length', MAX_CHANGED_FILES);
  });
});
