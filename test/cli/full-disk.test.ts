import { mkdir, writeFile } from 'node:fs/promises';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { git } from '../git/repository.ts';
import { EXIT } from '../../src/cli/terminal/exit-status.ts';
import { project } from './program.ts';
import { canMount, OWN_MOUNTS, quoted, shellOutput } from './shell-output.ts';

/** Runs commands of a shell where the folder of worktrees is mounted as said. */
async function where(cwd: string, mount: string, commands: readonly string[]): Promise<string> {
  await mkdir(join(cwd, '.loopfold/worktrees'), { recursive: true });
  return shellOutput(cwd, OWN_MOUNTS, [`${mount} || exit`, ...commands, 'echo end']);
}

/** Runs the program where the folder of worktrees is mounted as said, and lists that folder afterwards. */
const isolatedWhere = (cwd: string, mount: string): Promise<string> =>
  where(cwd, mount, [
    quoted('run', '-m', 'script:model.json', '--log', 'memory:', '--isolate', 'worktree', 'Do it.'),
    'ls -A .loopfold/worktrees',
  ]);

test.skipIf(!canMount).for([
  ['is full', 'mount -t tmpfs -o size=256k none .loopfold/worktrees', /No space left|ENOSPC/, 'Free some space'],
  [
    'cannot be written',
    'mount --bind .loopfold/worktrees .loopfold/worktrees && mount -o remount,ro,bind .loopfold/worktrees',
    /EROFS/,
    'Make the folder writable',
  ],
] as const)('X4 a disk that %s ends nothing but the start, and nothing is left', async ([, mount, why, remedy]) => {
  const cwd = await project({ answers: [{ text: 'done' }] });
  await writeFile(join(cwd, 'big.bin'), randomBytes(1024 * 1024));
  const said = await isolatedWhere(cwd, mount);
  expect(said).toMatch(why);
  expect(said).toContain(remedy);
  expect(said.endsWith(`status ${EXIT.environment}\nend\n`)).toBe(true);
  expect(await git(cwd, 'for-each-ref', 'refs/loopfold')).toBe('');
});

test.skipIf(!canMount)('X4 a disk that is full when a run is resumed is no bug, and its record stays', async () => {
  const asking = { tool: 'ask_user', arguments: { question: 'Which?', choices: [] } };
  const cwd = await project({ answers: [{ calls: [asking] }, { text: 'done' }] });
  const said = await where(cwd, 'mount -t tmpfs -o size=8m none .loopfold/worktrees', [
    quoted('run', '-m', 'script:model.json', '--isolate', 'worktree', 'Do it.'),
    'cat /dev/zero > .loopfold/worktrees/filler 2>/dev/null',
    quoted('answer', '--last', 'This one'),
    quoted('resume'),
    'rm .loopfold/worktrees/filler; ls -A .loopfold/worktrees',
    quoted('resume'),
  ]);
  expect(said).toMatch(/cannot go on in \S+: ENOSPC.* Free some space, then resume/);
  expect(said).not.toContain('this is a bug');
  expect(said).not.toContain('.draft');
  expect(said.endsWith(`status ${EXIT.success}\nend\n`)).toBe(true);
});
