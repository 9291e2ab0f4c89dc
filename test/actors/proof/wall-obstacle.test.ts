import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { wallObstacle } from '../../../src/actors/proof/walls.ts';
import { temporaryFolder } from '../../git/repository.ts';

test.runIf(process.platform === 'linux')('V3 what ends in silence says its exit status', async () => {
  const folder = await temporaryFolder();
  const program = join(folder, 'unshare');
  await writeFile(program, '#!/bin/sh\nexit 3\n');
  await chmod(program, 0o755);
  vi.stubEnv('PATH', `${folder}:${process.env['PATH']}`);
  onTestFinished(() => void vi.unstubAllEnvs());
  const plan = {
    proof: folder,
    layers: 'probe',
    root: folder,
    inside: '',
    home: '',
    objects: folder,
    node: folder,
    user: 0,
    group: 0,
    homePaths: [],
    caches: [],
    dependencies: [],
  };
  expect(await wallObstacle(plan, new AbortController().signal)).toBe('exit status 3');
});
