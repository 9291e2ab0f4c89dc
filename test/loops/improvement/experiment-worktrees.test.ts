import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeWorktree } from '../../../src/git/worktree/make-worktree.ts';
import { originRepository } from '../../../src/git/worktree/origin-repository.ts';
import { runRefs } from '../../../src/git/run-refs.ts';
import { placeAt } from '../../../src/git/worktree/worktree-place.ts';
import { collectGarbage } from '../../../src/app/isolation/garbage.ts';
import { LEAVING_MS } from '../../../src/app/isolation/leftover.ts';
import { testInTurn } from '../../support/in-turn.ts';
import { stopped } from '../../support/stand-ins.ts';
import { worktreesOf } from '../../hosts/local/isolation/isolated.ts';
import { factsOf, resumed, wordsIn } from '../../hosts/local/office.ts';
import { improving } from './improving.ts';
import { FILES, SUMS } from './night.ts';

testInTurn(
  'I9 an experiment works in its own worktree, its fix becomes the head, and nothing of it is left',
  async () => {
    const folders: string[] = [];
    const { root, log, start, git } = await improving(async ({ directory }) => {
      folders.push(directory);
      await writeFile(join(directory, 'sum.js'), SUMS.fixed);
    });
    const live = await start();
    const end = await live.done;
    expect(end).toMatchObject({ kind: 'ended', outcome: { ending: 'success' } });
    const [completed] = await factsOf(log, live.run, 'integration.completed');
    expect((await git('show', `${completed?.payload.commit}:sum.js`)).trim()).toBe(SUMS.fixed.trim());
    expect(folders).toHaveLength(1);
    expect(folders[0]).not.toContain(live.run);
    expect(await worktreesOf(root)).toEqual([]);
    expect(await readFile(join(root, 'sum.js'), 'utf8')).toBe(FILES['sum.js']);
    expect(await git('status', '--porcelain')).toBe('');
  },
);

testInTurn(
  'I9 an experiment whose worktree was deleted while it was paused is told, and works in it again',
  async () => {
    const begun = Promise.withResolvers<string>();
    let isAgain = false;
    const { root, log, start, loops, requests } = await improving(async (context) => {
      if (!isAgain) {
        isAgain = true;
        begun.resolve(context.directory);
        await stopped(context);
        throw new Error('stopped');
      }
      await writeFile(join(context.directory, 'sum.js'), SUMS.fixed);
    });
    const live = await start();
    const directory = await begun.promise;
    await live.pause('user');
    await live.done;
    expect((await collectGarbage(log, root)).removed).toEqual([]);
    expect(await readFile(join(directory, 'sum.js'), 'utf8')).toBe(FILES['sum.js']);
    await rm(directory, { recursive: true });
    const again = await resumed(loops(), live.run);
    await again.done;
    expect(requests.flatMap(wordsIn).join('\n')).toContain('The folder of your work was deleted');
    expect(await factsOf(log, live.run, 'integration.completed')).toHaveLength(1);
    expect(await worktreesOf(root)).toEqual([]);
  },
);

test('I9 gc removes the worktree of an experiment whose run has ended, and the run keeps its end', async () => {
  const { root, log, start, git } = await improving(async () => {});
  const live = await start();
  await live.done;
  const [prepared] = await factsOf(log, live.run, 'experiment.prepared');
  const origin = await originRepository(root);
  if (!prepared || !origin) throw new Error('no experiment was prepared');
  const { isolation, base, candidate } = prepared.payload;
  await makeWorktree({
    run: live.run,
    directory: root,
    origin,
    store: log.store,
    trees: async () => ({ files: base, committed: base }),
    likely: null,
    dependencies: [],
    place: placeAt(isolation.top),
    experiment: candidate,
  });
  await git('update-ref', '-d', `refs/loopfold/${live.run}/end`);
  const { removed } = await collectGarbage(log, root, { now: Date.now() + LEAVING_MS });
  expect(removed.map(({ top }) => top)).toEqual([isolation.top]);
  expect((await runRefs(live.run, { directory: root })).has('end')).toBe(false);
});
