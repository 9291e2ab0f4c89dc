import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { makeTemporaryFolderNow, removeAbandonedFolders } from '../../src/log/temporary-folders.ts';

const MODULE = JSON.stringify(join(import.meta.dirname, '../../src/log/temporary-folders.ts'));

test('B5 a temporary folder of a killed process goes with the next start, that of a living one stays', async () => {
  const parent = await mkdtemp(join(tmpdir(), 'temporary-'));
  onTestFinished(async () => {
    vi.unstubAllEnvs();
    await rm(parent, { recursive: true });
  });
  vi.stubEnv('TMPDIR', parent);
  const made = makeTemporaryFolderNow('output');
  await mkdir(join(parent, 'loopfold-of-somewhat-else'));
  const killed = `import { makeTemporaryFolderNow } from ${MODULE};
    makeTemporaryFolderNow('output'); process.kill(process.pid, 'SIGKILL');`;
  spawnSync(process.execPath, ['--input-type=module', '--eval', killed], { env: { ...process.env, TMPDIR: parent } });
  expect(await readdir(parent)).toHaveLength(3);
  await removeAbandonedFolders(parent);
  expect((await readdir(parent)).toSorted()).toEqual([basename(made), 'loopfold-of-somewhat-else'].toSorted());
});
