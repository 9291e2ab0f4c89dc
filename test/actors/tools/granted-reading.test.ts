import { mkdir, rename, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { calling, completed, containing, failed, workspace } from './workspace.ts';

const granted = async () => {
  const { directory: outside, names } = await workspace({
    'lib/a.ts': 'one\n',
    'lib/deep/b.ts': 'one\n',
    'lib/.git/config': 'one\n',
    'secret.txt': 'one\n',
  });
  const { directory } = await workspace({ 'x.ts': 'one\n' });
  await symlink(join(outside, 'lib'), join(directory, 'lib'));
  await symlink(join(outside, 'secret.txt'), join(outside, 'lib/way-out'));
  return { directory, outside, names, lib: join(outside, 'lib'), readable: [join(outside, 'lib')] };
};

describe('a place that a person has granted for reading', () => {
  test('is read, listed and searched, and its paths can be used as they are', async () => {
    const { directory, lib, readable } = await granted();
    const by = { readable };
    expect(await calling(directory, 'read', { path: `${lib}/a.ts` }, by)).toEqual([completed('one\n')]);
    expect(await calling(directory, 'read', { path: 'lib/a.ts' }, by)).toEqual([completed('one\n')]);
    expect(await calling(directory, 'list', { path: lib }, by)).toEqual([completed('a.ts\ndeep/\nway-out@')]);
    expect(await calling(directory, 'glob', { path: lib, pattern: '*.ts' }, by)).toEqual([
      completed(`${lib}/a.ts\n${lib}/deep/b.ts`),
    ]);
    expect(await calling(directory, 'grep', { path: lib, pattern: 'one', show: 'files' }, by)).toEqual([
      completed(`${lib}/a.ts\n${lib}/deep/b.ts\n[2 lines match, in 2 files]`),
    ]);
  });

  test('may be a single file', async () => {
    const { directory, lib } = await granted();
    const by = { readable: [`${lib}/a.ts`] };
    expect(await calling(directory, 'read', { path: `${lib}/a.ts` }, by)).toEqual([completed('one\n')]);
    expect(await calling(directory, 'grep', { path: `${lib}/a.ts`, pattern: 'n' }, by)).toEqual([
      completed(`${lib}/a.ts:1:one\n[1 lines match, in 1 files]`),
    ]);
    const beside = await calling(directory, 'read', { path: `${lib}/deep/b.ts` }, by);
    expect(beside).toEqual([failed('path_refused', containing('or one that was granted'))]);
  });

  test.each(['secret.txt', 'lib/way-out', 'lib/.git/config', 'lib/../secret.txt', 'lib-beside'])(
    'opens nothing else: %s',
    async (path) => {
      const { directory, outside, readable } = await granted();
      const events = await calling(directory, 'read', { path: `${outside}/${path}` }, { readable });
      expect(events).toEqual([failed('path_refused', containing(path))]);
    },
  );

  test.each([
    ['write', { content: 'x' }],
    ['edit', { oldText: 'one', newText: 'two' }],
    ['multi_edit', { edits: [{ oldText: 'one', newText: 'two' }] }],
  ])('is not for %s', async (tool, args) => {
    const { directory, lib, names, readable } = await granted();
    const before = await names();
    for (const path of [`${lib}/a.ts`, 'lib/a.ts', `${lib}/new.ts`]) {
      expect(await calling(directory, tool, { path, ...args }, { readable })).toEqual([
        failed('path_refused', containing('outside the workspace')),
      ]);
    }
    expect(await names()).toEqual(before);
    expect(await calling(directory, 'read', { path: `${lib}/a.ts` }, { readable })).toEqual([completed('one\n')]);
  });

  test('that was moved away and replaced by a link was granted for what it was', async () => {
    const { directory, outside, lib, readable } = await granted();
    await rename(lib, `${outside}/moved`);
    await mkdir(`${outside}/private`);
    await symlink(`${outside}/private`, lib);
    expect(await calling(directory, 'list', { path: lib }, { readable })).toEqual([
      failed('path_refused', containing('outside')),
    ]);
  });
});
