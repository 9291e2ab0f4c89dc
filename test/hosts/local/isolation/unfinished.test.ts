import { spawnSync } from 'node:child_process';
import { access, mkdir, mkdtemp, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { ABANDONED_AFTER_MS } from '../../../../src/git/capture/old-drafts.ts';
import { collectGarbage } from '../../../../src/app/isolation/garbage.ts';
import { thisProcess } from '../../../../src/log/holder.ts';
import { repository, temporaryFolder } from '../../../git/repository.ts';
import { testInTurn } from '../../../support/in-turn.ts';
import { working } from './isolated.ts';

const DRAFT = '.loopfold-0123456789abcdef.draft';
const isThere = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  );
const areThere = (paths: readonly string[]) => Promise.all(paths.map(isThere));

async function age(paths: readonly string[]): Promise<void> {
  const at = new Date(Date.now() - ABANDONED_AFTER_MS - 1_000);
  for (const path of paths) await utimes(path, at, at);
}

afterEach(() => vi.unstubAllEnvs());

/** What a process that is killed in the middle of a write, or of a capture, leaves, and a file of a person. */
async function unfinished() {
  const { root, commit } = await repository({ 'a.txt': '1', '.gitignore': '.claude/\n.loopfold/\n' });
  await commit();
  const drafts = [join(root, '.claude', DRAFT), join(root, DRAFT)];
  const mine = join(root, '.loopfold-mine.draft');
  await mkdir(join(root, '.claude'));
  for (const path of [...drafts, mine]) await writeFile(path, 'half');
  await age([mine]);
  // Of this test alone: other processes of the machine capture at this moment.
  vi.stubEnv('TMPDIR', await temporaryFolder());
  const outside = await mkdtemp(join(process.env['TMPDIR'] ?? '', 'loopfold-index-'));
  return { root, drafts, mine, outside };
}

test('X4 gc removes unfinished files and temporary folders of killed processes, in ignored folders, too', async () => {
  const { root, drafts, mine, outside } = await unfinished();
  // As young as they are, a process may be writing them.
  expect((await collectGarbage(null, root)).unfinished).toEqual([]);
  const left = [...drafts, outside];
  await age(left);
  expect((await collectGarbage(null, root, { isDryRun: true })).unfinished).toEqual(left);
  expect(await areThere(left)).toEqual([true, true, true]);
  expect((await collectGarbage(null, root)).unfinished).toEqual(left);
  expect(await areThere([...left, mine])).toEqual([false, false, false, true]);
});

test('X4 gc removes the checkouts of proofs of killed processes, and none of a process that is there', async () => {
  const { root, commit } = await repository({ 'a.txt': '1' });
  await commit();
  vi.stubEnv('TMPDIR', await temporaryFolder());
  const { pid } = spawnSync('true');
  const [mine, killed] = [
    join(root, '.loopfold/proof/node_modules/loopfold-proof-a'),
    join(root, '.loopfold/proof/node_modules/loopfold-proof-b'),
  ];
  for (const [folder, owner] of [
    [mine, thisProcess()],
    [killed, { ...thisProcess(), pid }],
  ] as const) {
    await mkdir(join(folder, 'mirror'), { recursive: true });
    await writeFile(`${folder}.json`, JSON.stringify(owner));
  }
  expect((await collectGarbage(null, root, { isDryRun: true })).unfinished).toEqual([killed]);
  expect(await areThere([mine, killed])).toEqual([true, true]);
  expect((await collectGarbage(null, root)).unfinished).toEqual([killed]);
  expect(await areThere([mine, killed, `${killed}.json`])).toEqual([true, false, false]);
});

testInTurn('X4 the next run that may write there removes those that git lists', async () => {
  const { root, drafts, mine } = await unfinished();
  await age(drafts);
  await (
    await working(async () => '').start({ directory: root })
  ).done;
  expect(await areThere([...drafts, mine])).toEqual([true, false, true]);
});
