import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { repository } from '../../../git/repository.ts';
import { testInTurn } from '../../../support/in-turn.ts';
import { working } from './isolated.ts';

/** What is told at the end of an isolated run, while which something is done in the folder of the person. */
async function toldAfter(beside: (root: string) => Promise<unknown>) {
  const repo = await repository({ 'a.txt': 'a\n' });
  await repo.commit();
  const hook = join(repo.root, '.git/hooks/pre-push');
  await writeFile(hook, 'exit 0\n');
  const warnings: string[] = [];
  const harness = working(
    async () => {
      await beside(repo.root);
      return 'done';
    },
    { warn: (text) => void warnings.push(text) },
  );
  const live = await harness.isolated(repo.root);
  await live.done;
  return { warnings, run: live.run, git: repo.git };
}

test('X4 hooks and settings that change while a run works in its worktree are named at its end', async () => {
  const { warnings, run } = await toldAfter(async (root) => {
    await chmod(join(root, '.git/hooks/pre-push'), 0o755);
    await writeFile(join(root, '.git/config'), '[core]\npager = sh\n', { flag: 'a' });
  });
  expect(warnings).toEqual([
    expect.stringMatching(new RegExp(`^config \\[core\\], hooks/pre-push changed .* while run ${run}`)),
  ]);
});

testInTurn('X4 what a person does at work is not told: files, branches, and where they push to', async () => {
  const { warnings, git } = await toldAfter(async (root) => {
    await writeFile(join(root, 'a.txt'), 'mine\n');
    await writeFile(join(root, '.git/config'), '[branch "main"]\nremote = origin\n', { flag: 'a' });
    await writeFile(join(root, '.git/HEAD'), 'ref: refs/heads/other\n');
  });
  expect(warnings).toEqual([]);
  expect(await git('config', 'branch.main.remote')).toBe('origin\n');
});
