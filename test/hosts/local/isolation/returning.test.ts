import { chmod, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { clones } from '../../../../src/git/worktree/copy-dependencies.ts';
import { repository } from '../../../git/repository.ts';
import { testInTurn } from '../../../support/in-turn.ts';
import { stopped } from '../../../support/stand-ins.ts';
import { factsOf, outputsIn, resumed } from '../office.ts';
import { leftPaused, settingsOf, textIn, working, worktreesOf } from './isolated.ts';

const committed = async (files: Readonly<Record<string, string>> = { 'a.txt': '1\n' }) => {
  const made = await repository(files);
  await made.commit();
  return made;
};

describe('X4 a worktree lasts as long as its run can work in it', () => {
  test('X4 it is removed when the run has ended, and its last state is captured', async () => {
    const { root, filesOf } = await committed();
    const { isolated } = working(async ({ directory }) => (await writeFile(join(directory, 'b.txt'), 'b'), ''));
    const live = await isolated(root);
    await live.done;
    expect(await worktreesOf(root)).toEqual([]);
    expect(await filesOf(`refs/loopfold/${live.run}/end`)).toEqual({ 'a.txt': '1\n', 'b.txt': 'b' });
  });

  testInTurn('X4 a paused run keeps it, and is resumed in it', async () => {
    const { root } = await committed();
    const write = async ({ directory }: { directory: string }) => writeFile(join(directory, 'ignored.log'), 'kept');
    const { live, loops, log } = await leftPaused(root, { work: write });
    const { directory } = await settingsOf(log, live.run);
    expect(await textIn(directory, 'ignored.log')).toBe('kept');
    const again = await resumed(loops(), live.run);
    expect(again.warnings).toEqual([]);
    await again.done;
    expect(await worktreesOf(root)).toEqual([]);
  });

  testInTurn('X4 one that was deleted is made again from the newest capture, and that is said', async () => {
    const { root, filesOf } = await committed({ 'a.txt': '1\n', '.gitignore': 'node_modules/\n' });
    await writeFile(join(root, 'a.txt'), 'later\n');
    const write = async ({ directory }: { directory: string }) => writeFile(join(directory, 'a.txt'), '2\n');
    const { live, loops, log } = await leftPaused(root, { work: write });
    const { directory } = await settingsOf(log, live.run);
    await rm(directory, { recursive: true });
    const again = await resumed(loops(), live.run);
    expect(again.warnings).toEqual(['Its worktree was gone, and is made again from the capture of when it was left']);
    expect(await again.done).toMatchObject({ outcome: { ending: 'success' } });
    expect(await filesOf(`refs/loopfold/${live.run}/end`)).toMatchObject({ 'a.txt': '2\n' });
    expect(await worktreesOf(root)).toEqual([]);
  });

  testInTurn(
    'X4 one that is deleted while the run works ends it with the reason, and resume makes it again',
    async () => {
      const { root } = await committed();
      let isFirst = true;
      const { isolated, loops, log, requests } = working(async ({ directory }) => {
        if (isFirst) await rm(directory, { recursive: true });
        isFirst = false;
        return 'worked';
      });
      const live = await isolated(root);
      expect(await live.done).toMatchObject({
        kind: 'ended',
        outcome: {
          ending: 'abort',
          cause: 'error',
          fault: { code: 'worktree_gone', message: expect.stringContaining('resume') },
        },
      });
      expect(await worktreesOf(root)).toEqual([]);
      const again = await resumed(loops(), live.run);
      expect(again.warnings).toEqual([expect.stringContaining('made again from the tree that it began with')]);
      expect(await again.done).toMatchObject({ outcome: { ending: 'success' } });
      expect(requests.map(outputsIn).at(-1)).toEqual(['worked']);
      expect((await settingsOf(log, again.run)).directory).toBe((await settingsOf(log, live.run)).directory);
      expect(await worktreesOf(root)).toEqual([]);
    },
  );

  testInTurn('X4 a continuation works in a worktree with what the run before has left', async () => {
    const { root, filesOf } = await committed();
    const harness = working(async ({ directory }) => {
      await writeFile(join(directory, 'b.txt'), `${await textIn(directory, 'b.txt').catch(() => '')}x`);
      return '';
    });
    const live = await harness.isolated(root, { maxSteps: 1 });
    expect(await live.done).toMatchObject({ outcome: { ending: 'cap_hit' } });
    expect(await worktreesOf(root)).toEqual([]);
    const extended = await harness.loops().extend(live.run, { maxSteps: 5 });
    if (extended.kind !== 'live') throw new Error(extended.kind);
    expect((await harness.log.runs()).map(({ run }) => run)).toEqual([live.run, extended.live.run]);
    await extended.live.done;
    expect(await filesOf(`refs/loopfold/${extended.live.run}/end`)).toMatchObject({ 'b.txt': 'x' });
    expect(await worktreesOf(root)).toEqual([]);
  });

  testInTurn('X4 a continuation of a run whose worktree is half removed works in a whole one', async () => {
    const { root, filesOf } = await committed({ 'a.txt': '1\n', 'pkg/b.txt': '1\n' });
    const { live, loops, log } = await leftPaused(root);
    await loops().abort(live.run);
    const { top } = (await settingsOf(log, live.run)).isolation ?? { top: '' };
    await rename(top, `${top}.removed`);
    await rm(join(`${top}.removed`, 'pkg'), { recursive: true });
    const extended = await loops().extend(live.run, { maxSteps: 5 });
    if (extended.kind !== 'live') throw new Error(extended.kind);
    expect(extended.live.warnings).toEqual([
      'Its worktree was gone, and is made again from the capture of when it was left',
    ]);
    await extended.live.done;
    expect(await filesOf(`refs/loopfold/${extended.live.run}/end`)).toEqual({ 'a.txt': '1\n', 'pkg/b.txt': '1\n' });
    expect(await worktreesOf(root)).toEqual([]);
  });

  testInTurn('X4 a continuation that is refused leaves no worktree behind', async () => {
    const { root } = await committed();
    const { isolated, loops } = working(async () => '');
    const live = await isolated(root);
    await live.done;
    expect(await loops().extend(live.run, {})).toMatchObject({ kind: 'succeeded' });
    expect(await worktreesOf(root)).toEqual([]);
  });

  testInTurn('X4 children work in the worktree of their root', async () => {
    const { root } = await committed();
    const { isolated, log } = working(async ({ directory }) => directory);
    const live = await isolated(root, { loop: 'iteration', checks: ['true'], checkIn: 'workspace', maxIterations: 2 });
    expect(await live.done).toMatchObject({ outcome: { ending: 'success' } });
    const [parent, child] = await factsOf(log, live.run, 'run.started');
    expect(child?.payload.settings.directory).toBe(parent?.payload.settings.directory);
    expect(await worktreesOf(root)).toEqual([]);
  });
});

/** A file system that copies on write shares nothing: there is nothing to spoil. */
const shares = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'loopfold-clone-'));
  await writeFile(join(folder, 'file'), '1');
  return !(await clones(join(folder, 'file')).finally(() => rm(folder, { recursive: true })));
};

describe.runIf(await shares())('X4 dependencies that the worktree shares', () => {
  const files = { '.gitignore': 'node_modules/\n', 'node_modules/x/i.js': '1', 'a.txt': '' };
  const spoil = async ({ directory }: { directory: string }) => (
    await writeFile(join(directory, 'node_modules/x/i.js'), 'spoiled'),
    ''
  );

  test('X4 a file changed in place is an error of the run that is proven by checks', async () => {
    const { root } = await committed(files);
    const live = await working(spoil).isolated(root, { checks: ['true'], checkIn: 'workspace' });
    expect(await live.done).toMatchObject({
      outcome: {
        ending: 'abort',
        fault: { code: 'dependencies_changed', message: expect.stringContaining('node_modules/x/i.js') },
      },
    });
  });

  const changed = { code: 'dependencies_changed', message: expect.stringContaining('node_modules/x/i.js') };

  testInTurn('X4 without checks it is the error that the run ends with, too, and its log says so', async () => {
    const { root } = await committed(files);
    const { isolated, log } = working(spoil);
    const live = await isolated(root);
    expect(await live.done).toMatchObject({ outcome: { ending: 'abort', cause: 'error', fault: changed } });
    expect(await factsOf(log, live.run, 'warning.raised')).toMatchObject([{ payload: changed }]);
    expect(await factsOf(log, live.run, 'model.failed')).toMatchObject([{ payload: { fault: changed } }]);
    expect(await worktreesOf(root)).toEqual([]);
  });

  testInTurn('X4 a run that ends with the call that changed it has a warning in its log, and rejects', async () => {
    const { root } = await committed(files);
    const { isolated, log } = working(spoil);
    const live = await isolated(root, { maxSteps: 1 });
    await expect(live.done).rejects.toThrow('node_modules/x/i.js');
    expect(await factsOf(log, live.run, 'warning.raised')).toMatchObject([{ payload: changed }]);
  });

  testInTurn('X4 a file whose mode alone was changed is an error as well', async () => {
    const { root } = await committed(files);
    const { isolated } = working(
      async ({ directory }) => (await chmod(join(directory, 'node_modules/x/i.js'), 0o755), ''),
    );
    expect(await (await isolated(root)).done).toMatchObject({ outcome: { ending: 'abort', fault: changed } });
  });

  testInTurn(
    'X4 a run that another one is isolated beside, with links of its own, is not blamed for them',
    async () => {
      const { root } = await committed(files);
      const { isolated } = working(async () => {
        await (
          await working(async () => '').isolated(root)
        ).done;
        return '';
      });
      expect(await (await isolated(root)).done).toMatchObject({ outcome: { ending: 'success' } });
    },
  );

  testInTurn('X4 a file that is replaced, as package managers do, is the worktree’s own', async () => {
    const { root } = await committed(files);
    const { isolated } = working(async (context) => {
      await rm(join(context.directory, 'node_modules/x/i.js'));
      return spoil(context);
    });
    expect(await (await isolated(root, { checks: ['true'], checkIn: 'workspace' })).done).toMatchObject({
      outcome: { ending: 'success' },
    });
    expect(await textIn(root, 'node_modules/x/i.js')).toBe('1');
  });
});

testInTurn('X4 two isolated runs in one repository at once do not see each other', async () => {
  const { root, filesOf, untouched } = await committed();
  const before = await untouched();
  const both = Promise.withResolvers<void>();
  let begun = 0;
  const { isolated } = working(async ({ directory, signal }) => {
    await writeFile(join(directory, 'b.txt'), directory);
    begun += 1;
    if (begun === 2) both.resolve();
    await Promise.race([both.promise, stopped({ signal })]);
    return '';
  });
  const lives = await Promise.all([isolated(root), isolated(root)]);
  await Promise.all(lives.map(({ done }) => done));
  for (const { run } of lives) {
    const { 'b.txt': written } = await filesOf(`refs/loopfold/${run}/end`);
    expect(written).toBe(join(root, '.loopfold/worktrees', run));
  }
  expect(await untouched()).toEqual(before);
});
