import { expect, test } from 'vitest';
import { STATE_FILE } from '../../src/ralph/ralph-options.ts';
import { testInTurn } from '../support/in-turn.ts';
import { MODEL, project } from './program.ts';
import { loopfold } from './warm-process.ts';

const shell = (command: string) => ({ tool: 'shell', arguments: { command } });
const wrote = (text: string, more: string[] = []) => ({
  answers: [
    { calls: [shell(`echo ${text} > sum.txt`), ...more.map(shell)] },
    { text: '<promise>TASK COMPLETE</promise>' },
  ],
});

/** A run with a label, whose check wants a 3. */
const labelled = (label: string) => {
  const check = ['--verify', 'test "$(cat sum.txt)" = 3', '--accept', 'verified'];
  return ['run', 'Write 3.', ...MODEL, ...check, '--label', label];
};

testInTurn('R4 R6 pages, reasons and the next command have the maximum that a person has approved', async () => {
  const greedy = wrote('1', [`sed -i 's/max_iterations: 2/max_iterations: 3/' ${STATE_FILE}`]);
  const cwd = await project({ attempts: [greedy, wrote('2'), wrote('4')] });
  const words = labelled('ralph-wiggum-2');
  expect(await loopfold(words, { cwd })).toMatchObject({ status: 14 });
  await loopfold(['approve', '--last', 'state-file'], { cwd });

  const ended = await loopfold(['resume', '--last'], { cwd });
  const shown = await loopfold(['show', '--last'], { cwd });

  expect(ended.status).toBe(10);
  expect(ended.stderr).toContain('iteration 3/3');
  expect(ended.stderr).toContain('promised, and the checks do not pass');
  expect(ended.stderr).toMatch(/next {2}.* extend \w+ --max-iterations 6\n/);
  expect(ended.stderr).not.toMatch(/\b\d\/2\b/);
  expect(shown.stdout).toMatch(/ 1\/3 .* 2\/3 .* 3\/3 /s);
  expect(shown.stdout).not.toMatch(/\b\d\/2\b/);
});

test('R1 --loop names every loop that ships, without a label too', async () => {
  const cwd = await project({ attempts: [wrote('3')] });
  const words = ['run', 'Write 3.', ...MODEL, '--loop', 'ralph', '--output-format', 'json'];
  const ended = await loopfold(words, { cwd });
  expect(ended.status).toBe(0);
  expect((await loopfold(['show', '--last'], { cwd })).stdout).toMatch(/loop +ralph, strategy ralph\n(.*\n)*.* 1\/10 /);
});

testInTurn('R4 an edit of a maximum that an option has set says that it does not count', async () => {
  const greedy = wrote('1', [`sed -i 's/max_iterations: 2/max_iterations: 3/' ${STATE_FILE}`]);
  const cwd = await project({ attempts: [greedy, wrote('3')] });
  const words = labelled('ralph-wiggum');
  const { status, stderr } = await loopfold([...words, '--max-iterations', '2'], { cwd });
  expect(status).toBe(0);
  expect(stderr).toContain(
    'the run stays as it is (where --max-iterations was given, the file gives no more iterations)',
  );
});

testInTurn('R4 R6 after extend the maximum of the continuation is shown, where the one before was edited', async () => {
  const greedy = wrote('1', [`sed -i 's/max_iterations: 1/max_iterations: 2/' ${STATE_FILE}`]);
  const cwd = await project({ attempts: [greedy, wrote('2'), wrote('4'), wrote('3')] });
  const words = labelled('ralph-wiggum-1');
  await loopfold(words, { cwd });
  await loopfold(['approve', '--last', 'state-file'], { cwd });
  expect((await loopfold(['resume', '--last'], { cwd })).stderr).toContain('max iterations reached (2/2)');

  const { stderr } = await loopfold(['extend', '--last', '--max-iterations', '4', '--strategy', 'fixed'], { cwd });

  expect(stderr).toContain('continuing to iteration 3/4');
  expect(stderr).toContain('loop completed in iteration 4/4');
  expect(stderr).not.toMatch(/\b\d\/[23]\b/);
});
