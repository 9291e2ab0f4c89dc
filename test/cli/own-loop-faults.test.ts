import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { compileCache } from '../support/bundled.ts';
import { testInTurn } from '../support/in-turn.ts';
import { folder, loopfold as inOwnProcess, MAIN, MODEL, project, resultIn } from './program.ts';
import { remade, reviewedProject } from './reviewed-project.ts';
import { loopfold } from './warm-process.ts';

/** A run of the example, reviewed by a handler of this source. */
async function reviewedBy(handler: string, run: typeof inOwnProcess = loopfold) {
  const { cwd, env, words } = await reviewedProject({
    'loops/odd.loop.ts': remade(`export const loop = { ...reviewed, handlers: { askReviewer: ${handler} } };`),
  });
  return run([...words, '--loop', 'loops/odd.loop.ts', '--output-format', 'json'], { cwd, env });
}

testInTurn(
  'a handler that leaves a timer running does not keep the process, which prints all of its output',
  async () => {
    const given = "{ type: 'review.given', payload: { approved: true, remark: 'Good.' } }";
    const ended = await reviewedBy(`async () => { setInterval(() => {}, 1_000); return ${given}; }`, inOwnProcess);
    expect(resultIn(ended)).toMatchObject({ exit: 0, outcome: { ending: 'success' } });
    expect(ended.status).toBe(0);
  },
);

testInTurn('all of the output is printed before the process ends, also to a reader that is slow', async () => {
  const cwd = await project({ answers: [{ text: 'done' }] }, {}, false);
  const prompt = `${'long '.repeat(100_000)}end`;
  await inOwnProcess(['run', '-', ...MODEL], { cwd, input: prompt });
  const child = spawn(process.execPath, [MAIN, 'events', '--last', '--json'], {
    cwd,
    env: { PATH: process.env['PATH'], HOME: await folder(), ...compileCache },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const ended = once(child, 'exit');
  await delay(1_000);
  const lines = (await text(child.stdout)).trimEnd().split('\n');
  expect(await ended).toEqual([0, null]);
  expect(JSON.parse(lines[0] ?? '').payload.settings.prompt).toBe(prompt);
  expect(JSON.parse(lines.at(-1) ?? '').type).toBe('strategy.ended');
});

testInTurn('a handler that throws is named with its loop, and with the line of its module', async () => {
  const ended = await reviewedBy("async () => { throw new Error('not today'); }");
  expect(resultIn(ended)).toMatchObject({ exit: 13, outcome: { ending: 'abort', cause: 'error' } });
  expect(ended.stderr).toMatch(/reviewed@1: its handler of askReviewer threw at \/\S+\/odd\.loop\.ts:4: not today/);
  expect(ended.stderr).not.toContain('this is a bug');
});

test('every rule that a loop breaks is told, also where its own module makes it a loop', async () => {
  const { cwd, env, words } = await reviewedProject({
    'loops/odd.loop.ts': remade(
      "import { TurnEvent } from 'loopfold/machines';\nexport const loop = defineLoop({ ...reviewed, events: TurnEvent });",
    ),
  });
  const { status, stderr } = await loopfold([...words, '--loop', 'loops/odd.loop.ts'], { cwd, env });
  expect(stderr).toContain('odd.loop.ts defines a loop that breaks rules: reviewed@1 breaks rules of loops:');
  expect(stderr).toContain('events.person.answered: no state takes it');
  expect(stderr).toContain('rounds-begin-with-a-fact, at rounds.started');
  expect(stderr).not.toContain('…');
  expect(status).toBe(2);
});

test('own options that do not fit are told once: what was expected, and what was found', async () => {
  const { cwd, env, named } = await reviewedProject();
  const words = named.map((word) => (word.startsWith('{') ? '{"reviewer": 5}' : word));
  const { status, stderr } = await loopfold(words, { cwd, env });
  expect(stderr).toContain('options.reviewer: expected string, found 5\n');
  expect(status).toBe(2);
});
