import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { EXIT } from '../../src/cli/terminal/exit-status.ts';
import { repository } from '../git/repository.ts';
import { testInTurn } from '../support/in-turn.ts';
import { loopfold, MODEL } from './program.ts';

const CHECKED = ['--verify', 'test -f made.txt', '--accept', 'verified', '--max-iterations', '1', 'make it'];
const FAULTS = /broke its promise|this is a bug|damaged/;

/** A project whose agent runs a command, then writes the file that the check wants. */
async function project(command: string) {
  const calls = [{ tool: 'shell', arguments: { command } }];
  const answers = [{ calls }, { text: 'done' }, { text: 'done' }];
  const files = { '.gitignore': '.loopfold\n', 'a.txt': 'one', 'model.json': JSON.stringify({ answers }) };
  const made = await repository(files);
  await made.commit();
  return made;
}

test('B7 a repository that lacks objects ends the start with 5, and says what to do', async () => {
  const { root, git, write } = await project('touch made.txt');
  const hash = (await git('rev-parse', 'HEAD:a.txt')).trim();
  await write({ 'a.txt': 'two' });
  await git('update-index', '--skip-worktree', 'a.txt');
  await rm(join(root, 'a.txt'));
  await rm(join(root, '.git/objects', hash.slice(0, 2), hash.slice(2)));
  const { status, stdout, stderr } = await loopfold(['run', ...MODEL, ...CHECKED], { cwd: root });
  expect({ status, stderr }).toEqual({ status: EXIT.environment, stderr });
  expect(stderr).toMatch(/Git lacks objects of this repository\. .*git fetch/s);
  expect(stdout + stderr).not.toMatch(FAULTS);
});

testInTurn('B5 a command that removes .git ends the run with 5, and says what to put back', async () => {
  const { root } = await project('touch made.txt; rm -rf .git');
  const words = ['run', ...MODEL, '--sandbox', 'off', ...CHECKED];
  const { status, stdout, stderr } = await loopfold(words, { cwd: root });
  expect({ status, stderr }).toEqual({ status: EXIT.environment, stderr });
  expect(stderr).toMatch(/in no git work tree any more: its \.git was removed.*Put it back, then/s);
  expect(stdout + stderr).not.toMatch(FAULTS);
  expect(await readdir(root)).toContain('made.txt');
});
