import { expect, test } from 'vitest';
import { project, resultIn } from '../cli/program.ts';
import { loopfold } from '../cli/warm-process.ts';
import { testInTurn } from '../support/in-turn.ts';
import { FILE, JSON_FORMAT, QUESTION, edit, run, shell, stateIn, wrote } from './ralph-run.ts';

test('R4 an isolated agent that edits the file by a path out of its worktree waits for a person, too', async () => {
  const greedy = wrote('1', [`sed -i 's/max_iterations: 2/max_iterations: 50/' ../../../${FILE}`]);
  const cwd = await project({ attempts: [greedy, wrote('3')] });

  const held = await run(cwd, '--label', 'ralph-wiggum-2', '--isolate', 'worktree');

  expect(resultIn(held)).toMatchObject({ exit: 14 });
  expect(await stateIn(cwd)).toContain('max_iterations: 50');
});

testInTurn('R4 an edit by a person that the agent puts aside and moves back later does not count again', async () => {
  const aside = { answers: [{ calls: [QUESTION] }, { calls: [shell('mv .claude aside')] }, { text: 'I asked.' }] };
  const back = wrote('1', ['rm -rf .claude; mv aside .claude']);
  const cwd = await project({ attempts: [aside, back, wrote('3')] });
  await run(cwd, '--label', 'ralph-wiggum-2');
  await edit(cwd, 'max_iterations: 2', 'max_iterations: 3');
  await loopfold(['answer', '--last', '3'], { cwd });

  const held = await loopfold(['resume', '--last', ...JSON_FORMAT], { cwd });

  expect(resultIn(held)).toMatchObject({ exit: 14 });
  expect(held.stderr + held.stdout).not.toContain('this is a bug');
});
