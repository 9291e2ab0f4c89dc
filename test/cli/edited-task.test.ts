import { expect, test } from 'vitest';
import { STATE_FILE } from '../../src/ralph/ralph-options.ts';
import { MODEL, project } from './program.ts';
import { loopfold } from './warm-process.ts';

const shell = (command: string) => ({ tool: 'shell', arguments: { command } });
const promised = { text: '<promise>TASK COMPLETE</promise>' };

test('R4 show and runs have the task that a person has approved, and show says that it was edited', async () => {
  const editing = { answers: [{ calls: [shell(`sed -i 's/Write 3/Write 4/' ${STATE_FILE}`)] }, { text: 'go on' }] };
  const writing = { answers: [{ calls: [shell('echo 4 > sum.txt')] }, promised] };
  const cwd = await project({ attempts: [editing, writing] });
  const words = [
    'run',
    'Write 3.',
    ...MODEL,
    '--verify',
    'test "$(cat sum.txt)" = 4',
    '--accept',
    'verified',
    '--label',
    'ralph-wiggum-2',
  ];
  expect(await loopfold(words, { cwd })).toMatchObject({ status: 14 });
  const shown = async () => (await loopfold(['show', '--last'], { cwd })).stdout;
  const listed = async () => (await loopfold(['runs'], { cwd })).stdout;
  const json = async (verb: string) => JSON.parse((await loopfold([verb, '--json'], { cwd })).stdout);

  expect(await shown()).toMatch(/\n {2}task +Write 3\.\n {2}loop/);
  expect(await listed()).toMatch(/ {2}Write 3\.\n$/);
  await loopfold(['approve', '--last', 'state-file'], { cwd });
  expect(await loopfold(['resume', '--last'], { cwd })).toMatchObject({ status: 0 });

  expect(await shown()).toMatch(/\n {2}task +Write 4\.\n +\(edited; the run began with: Write 3\.\)\n {2}loop/);
  expect(await listed()).toMatch(/ {2}Write 4\.\n$/);
  expect(await json('show')).toMatchObject({ task: 'Write 4.', settings: { prompt: 'Write 3.' } });
  expect(await json('runs')).toMatchObject([{ task: 'Write 4.', prompt: 'Write 3.' }]);
});
