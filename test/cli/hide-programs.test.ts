import { chmod, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { git } from '../git/repository.ts';
import { HAS_WALLS } from '../hosts/local/proof/proof-project.ts';
import { MODEL, project } from './program.ts';
import { loopfold } from './warm-process.ts';

// Behind walls the home and the temporary files are empty: a program of the user that lies there is not found.

const FIX = {
  answers: [{ calls: [{ tool: 'write', arguments: { path: 'value', content: 'right\n' } }] }, { text: 'done' }],
};
const PROGRAM = '#!/bin/sh\nexec grep right value\n';

async function program(path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, PROGRAM);
  await chmod(path, 0o755);
}

/** A run whose check needs a program in a folder of the user's PATH. */
async function ran(check: string, folder: 'home' | 'temporary', flags: readonly string[] = []) {
  const cwd = await project(FIX, {
    value: 'wrong\n',
    'check.sh': 'seek-right\n',
    '.gitignore': '.loopfold\nmodel.json\n',
  });
  await git(cwd, 'add', '--all');
  await git(cwd, 'commit', '--quiet', '--message=start');
  const top = await realpath(await mkdtemp('/tmp/loopfold-program-'));
  onTestFinished(() => rm(top, { recursive: true }));
  const home = join(top, 'home');
  await mkdir(home);
  const path = join(folder === 'home' ? home : top, 'bin/seek-right');
  await program(path);
  const env = { HOME: home, PATH: `${dirname(path)}:${process.env['PATH'] ?? ''}` };
  const words = ['run', 'mend it', ...MODEL, '--verify', `L1:${check}`, ...flags];
  const { status, stderr } = await loopfold(words, { cwd, env });
  return { status, said: stderr.replace(/\s+/g, ' '), path };
}

describe.skipIf(!HAS_WALLS)('V3 a check whose program is hidden behind the walls', () => {
  test('V3 names where it lies in the home, and the option that shows it', async () => {
    const { status, said, path } = await ran('seek-right', 'home');
    expect(said).toContain(
      `seek-right is ${path}, which checks of a proof do not see: show it to them with --home-path bin`,
    );
    expect(status).toBe(5);
  });

  test('V3 runs with that option', async () => {
    const { status, said } = await ran('seek-right', 'home', ['--home-path', 'bin']);
    expect(said).not.toContain('do not see');
    expect([0, 16]).toContain(status);
    expect(said).toContain('success');
  });

  test('V3 is named also where a script of the project calls it, among the temporary files', async () => {
    const { status, said, path } = await ran('sh check.sh', 'temporary');
    expect(said).toContain(
      `seek-right is ${path}, which checks of a proof do not see: install it outside of the home, /tmp`,
    );
    expect(status).toBe(5);
  });
});
