import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bringChange } from '../../src/git/bring/bring-change.ts';
import { captureFolder } from '../../src/git/capture/capture-folder.ts';
import { testInTurn } from '../support/in-turn.ts';
import { RUN } from './captured.ts';
import { repository } from './repository.ts';

const { signal } = new AbortController();
const BEGIN = '1\n2\n3\n4\n5\n';

/** Applies a change to a file that was changed in the workspace as well. */
async function applied(attribute: string, { run, person }: { readonly run: string; readonly person: string }) {
  const { root, commit, git } = await repository({ file: BEGIN, '.gitattributes': `file ${attribute}\n` });
  await commit();
  await git('config', 'merge.own.driver', 'touch ran');
  const treeWith = async (text: string) => {
    await writeFile(join(root, 'file'), text);
    const input = { directory: root, run: RUN, number: null, listsChanges: false };
    return (await captureFolder(input, signal))?.hash ?? '';
  };
  const [from, to] = [await treeWith(BEGIN), await treeWith(run)];
  await writeFile(join(root, 'file'), person);
  const asked = { run: RUN, directory: root, leaveOut: [], store: null, at: '2026-11-23T00:00:00.000Z' };
  const brought = await bringChange({ ...asked, verb: 'apply', from, to, isWhole: true }, signal);
  return { kept: brought?.kept, text: await readFile(join(root, 'file'), 'utf8') };
}

const SAME_LINE = { run: '1\n2\n3\n4\n5\nrun\n', person: '1\n2\n3\n4\n5\nperson\n' };
const OTHER_LINES = { run: 'run\n2\n3\n4\n5\n', person: '1\n2\n3\n4\nperson\n' };

testInTurn('G10 the attribute merge=union keeps the lines of both', async () => {
  const { kept, text } = await applied('merge=union', SAME_LINE);
  expect({ kept, lines: text.split('\n').toSorted().join(' ') }).toEqual({ kept: [], lines: ' 1 2 3 4 5 person run' });
});

testInTurn.each(['merge=binary', '-merge', 'binary'])('G10 the attribute %s merges nothing', async (attribute) => {
  const { kept, text } = await applied(attribute, OTHER_LINES);
  expect(kept).toMatchObject([{ path: 'file', because: 'the same lines have another content' }]);
  expect(text).toBe(OTHER_LINES.person);
});

test('G10 a merge driver that is a command is not run, and named', async () => {
  const { kept, text } = await applied('merge=own', OTHER_LINES);
  expect(kept).toMatchObject([{ path: 'file', because: expect.stringMatching(/its merge driver own is a command/) }]);
  expect(text).toBe(OTHER_LINES.person);
});

testInTurn.each(['merge', 'merge=text', 'text'])('G10 the attribute %s merges lines', async (attribute) => {
  const { kept, text } = await applied(attribute, OTHER_LINES);
  expect({ kept, text }).toEqual({ kept: [], text: 'run\n2\n3\n4\nperson\n' });
});
