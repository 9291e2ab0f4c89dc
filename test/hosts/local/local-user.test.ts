import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { localUser } from '../../../src/app/people/local-user.ts';
import { git, repository } from '../../git/repository.ts';

test('V13 a person is called what the system and git call them in a folder, and nothing of it runs', async () => {
  const { root } = await repository();
  await git(root, 'config', 'user.email', 'ada@example.org');
  const ran = join(root, 'ran');
  await git(root, 'config', 'core.fsmonitor', `touch ${ran}`);
  await git(root, 'config', 'core.pager', `touch ${ran}`);
  expect(await localUser(root)).toEqual({ name: userInfo().username, email: 'ada@example.org' });
  expect(existsSync(ran)).toBe(false);
});

test('V13 where git cannot say it, a person has no address', async () => {
  const { root } = await repository();
  await writeFile(join(root, '.git/config'), '[user\n');
  expect(await localUser(root)).toEqual({ name: userInfo().username, email: null });
});
