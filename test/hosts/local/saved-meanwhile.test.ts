import type * as FileSystem from 'node:fs/promises';
import { link, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { scriptedModel } from '../../../src/actors/model/model-script.ts';
import { shortId } from '../../../src/cli/args/find-run.ts';
import { afterBringing, broughtSummary } from '../../../src/cli/pages/print-brought.ts';
import type { BroughtChange } from '../../../src/app/changes/apply-change.ts';
import { Loops } from '../../../src/hosts/local/local-host.ts';
import { memoryLog } from '../../../src/log/sqlite/engine.ts';
import { repository } from '../../git/repository.ts';
import { testInTurn } from '../../support/in-turn.ts';

const LINES = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((line) => `${line}\n`).join('');

/** A file that a person saves as soon as the file beside it is replaced. */
const saved = vi.hoisted(() => ({ path: '' }));

vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof FileSystem>();
  const rename: typeof FileSystem.rename = async (from, to) => {
    await real.rename(from, to);
    const { path } = saved;
    saved.path = '';
    if (path !== '') await real.appendFile(path, 'by a person\n');
  };
  return { ...real, rename };
});

/** An applied change whose second file changes after the first was written. */
async function appliedInPart({ isLinked = false } = {}) {
  const { root, commit } = await repository({ first: LINES, second: LINES, '.gitignore': '.loopfold\n' });
  await commit();
  const calls = ['first', 'second'].map((path) => ({
    tool: 'write',
    arguments: { path, content: LINES.replace('b', `B in ${path}`) },
  }));
  const model = scriptedModel({ answers: [{ calls }, { text: 'done' }] });
  const loops = new Loops({ log: memoryLog(), model });
  const { run, done } = await loops.start({ prompt: 'x', loop: 'turn', directory: root, isolate: 'worktree' });
  await done;
  if (isLinked) {
    await rm(join(root, 'second'));
    await link(join(root, 'first'), join(root, 'second'));
  }
  saved.path = join(root, 'second');
  const applied = (await loops.apply(run)) as BroughtChange;
  const text = (path: string) => readFile(join(root, path), 'utf8');
  return { run, loops, applied, text, id: shortId(run) };
}

testInTurn('G10 an apply says which files it wrote when another one changes meanwhile', async () => {
  const { run, applied, text, id } = await appliedInPart();
  expect(applied).toMatchObject({
    kind: 'partial',
    files: [{ path: 'first', what: 'written' }],
    kept: [{ path: 'second', because: 'the workspace changed at this moment' }],
  });
  expect(await text('first')).toBe(LINES.replace('b', 'B in first'));
  const [left, sentence] = broughtSummary('apply', applied, false);
  expect(left).toBe('left     second: the workspace changed at this moment');
  expect(sentence).toContain(`run ${run} was applied to`);
  expect(sentence).toMatch(/: 1 file, and 1 left as it is$/);
  expect(afterBringing('apply', applied, false)).toEqual([
    ['apply', id],
    ['undo', id],
  ]);
});

test('G10 a file that was a hard link of the one that was written, and is saved then, is left too', async () => {
  const { applied, text } = await appliedInPart({ isLinked: true });
  expect(applied).toMatchObject({ files: [{ path: 'first' }], kept: [{ path: 'second' }] });
  expect(await text('second')).toBe(`${LINES}by a person\n`);
});

testInTurn('G10 undo takes out what was written, and leaves the file that changed', async () => {
  const { run, loops, text } = await appliedInPart();
  expect(await loops.undo(run)).toMatchObject({ kind: 'done', files: [{ path: 'first' }], kept: [], since: [] });
  expect([await text('first'), await text('second')]).toEqual([LINES, `${LINES}by a person\n`]);
});

testInTurn('G10 a second apply merges the file that changed', async () => {
  const { run, loops, text } = await appliedInPart();
  expect(await loops.apply(run)).toMatchObject({ kind: 'done', files: [{ path: 'second', what: 'merged' }] });
  expect(await text('second')).toBe(`${LINES.replace('b', 'B in second')}by a person\n`);
  expect(await loops.undo(run)).toMatchObject({ kind: 'done', files: [{ path: 'first' }, { path: 'second' }] });
  expect(await text('second')).toBe(`${LINES}by a person\n`);
});
