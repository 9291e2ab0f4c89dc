import { appendFile, link, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scriptedModel } from '../../../src/actors/model/scripted-model.ts';
import { shortId } from '../../../src/cli/args/find-run.ts';
import { afterBringing, broughtSummary } from '../../../src/cli/pages/brought-page.ts';
import type { BroughtChange } from '../../../src/hosts/local/brought-change.ts';
import { Loops } from '../../../src/hosts/local/loops.ts';
import { memoryLog } from '../../../src/log/memory/engine.ts';
import { repository } from '../../actors/workspace/repository.ts';

const LINES = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((line) => `${line}\n`).join('');

/**
 * An applied change whose second file changes after the first was written. Both are one file with two names: the first
 * rename changes the other's time of change, as a person does who saves it at that moment.
 */
async function appliedInPart() {
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
  await rm(join(root, 'second'));
  await link(join(root, 'first'), join(root, 'second'));
  const applied = (await loops.apply(run)) as BroughtChange;
  await appendFile(join(root, 'second'), 'by a person\n');
  const text = (path: string) => readFile(join(root, path), 'utf8');
  return { run, loops, applied, text, id: shortId(run) };
}

test('G10 an apply says which files it wrote when another one changes meanwhile', async () => {
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

test('G10 undo takes out what was written, and leaves the file that changed', async () => {
  const { run, loops, text } = await appliedInPart();
  expect(await loops.undo(run)).toMatchObject({ kind: 'done', files: [{ path: 'first' }], kept: [], since: [] });
  expect([await text('first'), await text('second')]).toEqual([LINES, `${LINES}by a person\n`]);
});

test('G10 a second apply merges the file that changed', async () => {
  const { run, loops, text } = await appliedInPart();
  expect(await loops.apply(run)).toMatchObject({ kind: 'done', files: [{ path: 'second', what: 'merged' }] });
  expect(await text('second')).toBe(`${LINES.replace('b', 'B in second')}by a person\n`);
  expect(await loops.undo(run)).toMatchObject({ kind: 'done', files: [{ path: 'first' }, { path: 'second' }] });
  expect(await text('second')).toBe(`${LINES}by a person\n`);
});
