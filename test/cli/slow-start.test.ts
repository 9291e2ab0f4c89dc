import { execFileSync } from 'node:child_process';
import { chmod } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { folder, loopfold, MODEL, project } from './program.ts';

/** Only the reading of the files takes its time. */
const ONCE = 'case "$*" in *ls-files*|*add*) [ -e "$0.slow" ] || { touch "$0.slow"; sleep 2.5; } ;; esac';

test('B7 a start that takes its time says what it reads, before the run begins', async () => {
  const git = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
  const bin = await folder({ git: `#!/bin/sh\n${ONCE}\nexec ${git} "$@"\n` });
  await chmod(`${bin}/git`, 0o755);
  const cwd = await project({ answers: [{ text: 'done' }] });
  const env = { PATH: `${bin}:${process.env['PATH']}` };
  const { stderr } = await loopfold(['run', ...MODEL, '--loop', 'turn', 'x'], { cwd, env });
  expect(stderr).toMatch(/^reading the files of .*\nrun /);
});
