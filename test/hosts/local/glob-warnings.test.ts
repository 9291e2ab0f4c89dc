import { expect, test } from 'vitest';
import { scriptedModel } from '../../../src/actors/model/model-script.ts';
import { Loops } from '../../../src/hosts/local/local-host.ts';
import { unmatchedGlobs } from '../../../src/app/start/glob-warnings.ts';
import { memoryLog } from '../../../src/log/sqlite/engine.ts';
import { repository, temporaryFolder } from '../../git/repository.ts';
import { testInTurn } from '../../support/in-turn.ts';

const begun = async () => {
  const { root, commit } = await repository({ 'exam/a.txt': '', 'spec/b.txt': '' });
  await commit();
  return root;
};

testInTurn('V2 a run warns of a glob of protect or unprotect that fits no file, and of no other', async () => {
  const directory = await begun();
  const loops = new Loops({ log: memoryLog(), model: scriptedModel({ answers: [{ text: 'done' }] }) });
  const globs = { protect: ['exam/**', 'exams/**'], unprotect: ['spec', 'sepc'] };
  const live = await loops.start({ prompt: 'x', directory, checks: ['test -d exam'], maxIterations: 1, ...globs });
  expect(live.warnings).toEqual([
    'protect: no file fits exams/**. Globs are from the top of the repository; loopfold grounds shows what they fit.',
    'unprotect: no file fits sepc. Globs are from the top of the repository; loopfold grounds shows what they fit.',
  ]);
  await live.done;
});

test('V2 globs are from the top of the repository, and where there is none nothing is known of them', async () => {
  const root = await begun();
  expect(await unmatchedGlobs({ protect: ['spec/b.txt'] }, `${root}/exam`)).toEqual([]);
  expect(await unmatchedGlobs({ protect: ['spec/b.txt'] }, await temporaryFolder())).toEqual([]);
});
