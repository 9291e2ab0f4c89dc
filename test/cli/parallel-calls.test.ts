import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testInTurn } from '../support/in-turn.ts';
import { loopfold, MODEL, Program, project } from './program.ts';

const CALLS = 6;
const command = (number: number) => `echo ${number} >> started; until test -e go; do sleep 0.05; done`;
const script = {
  answers: [
    {
      calls: Array.from({ length: CALLS }, (_, number) => ({ tool: 'shell', arguments: { command: command(number) } })),
    },
    { text: 'done' },
  ],
};

testInTurn('G6 commands that are queued when a process is killed run after it, each once', async () => {
  const cwd = await project(script);
  const started = async () =>
    (await readFile(join(cwd, 'started'), 'utf8').catch(() => '')).split('\n').filter(Boolean);
  const program = new Program(['run', 'x', ...MODEL, '--max-parallel', '2'], { cwd });
  await expect.poll(started, { timeout: 20_000 }).toHaveLength(2);
  program.signal('SIGKILL');
  await program.ended;
  expect((await started()).toSorted()).toEqual(['0', '1']);
  await writeFile(join(cwd, 'go'), '');
  expect((await loopfold(['resume', '--last'], { cwd })).status).toBe(0);
  expect((await started()).toSorted()).toEqual(['0', '1', '2', '3', '4', '5']);
  const { stdout } = await loopfold(['events', '--last'], { cwd });
  expect(stdout.match(/tool\.interrupted/g)).toHaveLength(2);
});

test('G6 a limit of no calls is refused with the field, the value and what is expected', async () => {
  const { status, stderr } = await loopfold(['run', 'x', ...MODEL, '--max-parallel', '0'], {
    cwd: await project(script),
  });
  expect(status).toBe(2);
  expect(stderr).toContain('max-parallel');
  expect(stderr).toContain('expected a whole number of calls, 1 or more');
});
