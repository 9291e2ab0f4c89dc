import { access, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { git } from '../git/repository.ts';
import { testInTurn } from '../support/in-turn.ts';
import { MODEL, project, resultIn } from './program.ts';
import { loopfold } from './warm-process.ts';

const shell = (command: string) => ({ calls: [{ tool: 'shell', arguments: { command } }] });

/** A run in its user's folder whose command makes repositories. */
async function ran(command: string, begin = 'true') {
  const cwd = await project(
    { answers: [shell(command), { text: 'done' }] },
    { 'a.txt': 'a', '.gitignore': '.loopfold' },
  );
  await git(cwd, 'add', '--all');
  await git(cwd, 'commit', '--quiet', '--message=start');
  if (begin === 'own') await git(cwd, 'init', '--quiet', 'own');
  if (begin === 'own') await writeFile(join(cwd, 'own/old.txt'), 'old');
  const { run = '' } = resultIn(await loopfold(['run', 'make', ...MODEL, '--output-format', 'json'], { cwd }));
  return { cwd, undo: (...more: string[]) => loopfold(['undo', run ?? '', ...more], { cwd }) };
}

const MADE = 'git init -q made; seq 3 | (cd made; xargs touch); echo > other.txt';

testInTurn('G10 undo names a repository that the run made once, with the command that removes it', async () => {
  const { cwd, undo } = await ran(MADE);
  const undone = await undo();
  expect(undone).toMatchObject({ status: 16, stdout: 'removed  other.txt\n' });
  const [named = '', ...more] = undone.stderr.split('\n').filter((line) => line.startsWith('left'));
  expect({ named, more }).toEqual({
    named: expect.stringMatching(/made\/: a repository that was made since/),
    more: [],
  });
  const [, command = '', folder = ''] = /(rm -rf) (\S+)$/.exec(named) ?? [];
  expect({ command, folder }).toEqual({ command: 'rm -rf', folder: join(cwd, 'made') });
  expect(undone.stderr).not.toContain('--force');
  await rm(folder, { recursive: true });
  expect(await undo()).toMatchObject({ status: 0 });
  expect(await git(cwd, 'status', '--porcelain')).toBe('');
});

testInTurn('G10 undo names a repository that is too large for a capture, too', async () => {
  const { undo } = await ran(MADE.replace('seq 3', 'seq 1001'));
  const { kept, kind } = JSON.parse((await undo('--json')).stdout);
  expect({ kept, kind }).toMatchObject({ kept: [{ path: 'made/', folder: expect.any(String) }], kind: 'partial' });
});

test('G10 undo suggests no removal of a repository that was there before the run', async () => {
  const { cwd, undo } = await ran('echo new > own/new.txt', 'own');
  const undone = await undo();
  expect(undone).toMatchObject({
    status: 16,
    stderr: expect.stringMatching(/left {5}own\/new.txt: one of its folders/),
  });
  expect(undone.stderr).not.toContain('rm -rf');
  expect(await readFile(join(cwd, 'own/old.txt'), 'utf8')).toBe('old');
});

testInTurn('G10 a file that was changed since in a repository that the run made is named by itself', async () => {
  const { cwd, undo } = await ran(MADE);
  await writeFile(join(cwd, 'made/2'), 'mine');
  const { kept } = JSON.parse((await undo('--json')).stdout);
  expect(kept).toMatchObject([{ path: 'made/2', because: 'it has another content' }, { path: 'made/' }]);
  await access(join(cwd, 'made/.git'));
});
