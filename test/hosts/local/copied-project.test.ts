import { cp, mkdir, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Log } from '../../../src/log/log.ts';
import { openSqliteLog } from '../../../src/log/sqlite/engine.ts';
import { git, temporaryFolder } from '../../git/repository.ts';
import { testInTurn } from '../../support/in-turn.ts';
import { leftPaused, working } from './isolation/isolated.ts';
import { resumed } from './office.ts';

const work = async ({ directory }: { directory: string }) => (await writeFile(join(directory, 'b.txt'), 'b'), '');

/** What a process does with the log of a project. */
async function withLog<T>(root: string, use: (log: Log) => Promise<T>): Promise<T> {
  const log = openSqliteLog(join(root, '.loopfold/log.db'));
  return use(log).finally(() => log.close());
}

/** A project with its log at the default place, and a run in a folder of it that was left paused. */
async function projectWithPause({
  isInGit = true,
  isolate = 'none',
}: { isInGit?: boolean; isolate?: 'none' | 'worktree' } = {}) {
  const parent = await temporaryFolder();
  const [root, elsewhere] = [join(parent, 'first'), join(parent, 'second')];
  await mkdir(join(root, 'sub'), { recursive: true });
  await mkdir(join(root, '.loopfold'));
  await writeFile(join(root, 'sub/a.txt'), '1');
  if (isInGit) await git(root, 'init', '--quiet');
  const run = await withLog(root, async (log) => {
    const { live } = await leftPaused(join(root, isInGit ? 'sub' : '.'), {
      log,
      work: async (context) => void (await work(context)),
      more: { isolate },
    });
    return live.run;
  });
  return { root, elsewhere, run };
}

const resume = (root: string, run: string) =>
  withLog(root, async (log) => (await resumed(working(work, { log }).loops(), run)).done);

testInTurn.each([
  ['in git', { isInGit: true }],
  ['outside git', { isInGit: false }],
  ['in git, in a worktree of the run', { isolate: 'worktree' as const }],
])('G11 a run %s is not resumed from the log in a copy of its project', async (_where, how) => {
  const { root, elsewhere, run } = await projectWithPause(how);
  await cp(root, elsewhere, { recursive: true });
  const failing = await resume(elsewhere, run).catch((error: unknown) => error);
  expect(failing).toMatchObject({ name: 'EnvironmentError', code: 'copied_project' });
  expect(String(failing)).toContain(`${elsewhere}, which has this log, is a copy of that project`);
  expect(await resume(root, run)).toMatchObject({ outcome: { ending: 'success' } });
});

testInTurn('G11 captures in a copied repository are enough to refuse, without a log in the first project', async () => {
  const { root, elsewhere, run } = await projectWithPause();
  await rename(root, elsewhere);
  await cp(join(elsewhere, 'sub'), join(root, 'sub'), { recursive: true });
  await git(root, 'init', '--quiet');
  await expect(resume(elsewhere, run)).rejects.toMatchObject({ code: 'copied_project' });
});

testInTurn('G11 a run is not continued as another from a copy of its project', async () => {
  const { root, elsewhere, run } = await projectWithPause();
  await withLog(root, (log) => working(work, { log }).loops().abort(run));
  await cp(root, elsewhere, { recursive: true });
  const extending = withLog(elsewhere, (log) => working(work, { log }).loops().extend(run, {}));
  await expect(extending).rejects.toMatchObject({ code: 'copied_project' });
});

testInTurn('G11 in a moved project, the refusal names the link with which the run goes on', async () => {
  const { root, elsewhere, run } = await projectWithPause();
  await rename(root, elsewhere);
  const failing = await resume(elsewhere, run).catch((error: unknown) => error);
  expect(failing).toMatchObject({
    code: 'no_directory',
    message: expect.stringMatching(`ln -s ${elsewhere} ${root}$`),
  });
  await symlink(elsewhere, root);
  expect(await resume(elsewhere, run)).toMatchObject({ outcome: { ending: 'success' } });
});

testInTurn('G10 in a moved project, undo and apply work where it is now', async () => {
  const { root, elsewhere, run } = await projectWithPause();
  await resume(root, run);
  await rename(root, elsewhere);
  await withLog(elsewhere, async (log) => {
    const loops = working(work, { log }).loops();
    expect(await loops.undo(run)).toMatchObject({ kind: 'done', workspace: join(elsewhere, 'sub') });
    expect(await readdir(join(elsewhere, 'sub'))).toEqual(['a.txt']);
    expect(await loops.apply(run)).toMatchObject({ kind: 'done', files: [{ path: 'sub/b.txt' }] });
    await mkdir(root);
    expect(await loops.undo(run)).toMatchObject({ kind: 'no_capture' });
  });
});

test('G11 a folder of a run that was removed from its project is named', async () => {
  const { root, run } = await projectWithPause();
  await rm(join(root, 'sub'), { recursive: true });
  await expect(resume(root, run)).rejects.toThrow(
    `If it was moved, make it known under its old name, then resume: ln -s NEW_PLACE ${root}/sub`,
  );
});
