import { expect, test } from 'vitest';
import { MODEL, project, resultIn } from './program.ts';
import { loopfold } from './warm-process.ts';

const ASKS = { calls: [{ tool: 'ask_user', arguments: { question: 'Which colour?', choices: ['red', 'blue'] } }] };
const WRITES = { calls: [{ tool: 'write', arguments: { path: 'a.txt', content: 'a' } }] };

/** A folder, what the program says in it, and the run that it starts. */
async function started(...answers: object[]) {
  const cwd = await project({ answers: [...answers, { text: 'done' }] } as Parameters<typeof project>[0]);
  const say = (...words: string[]) => loopfold(words, { cwd });
  const run = async () => resultIn(await say('run', 'x', ...MODEL, '--output-format', 'json')).run ?? '';
  return { say, run };
}

test('Y2 undo and apply without a run take the newest, and say so', async () => {
  const { say, run } = await started(WRITES);
  const id = await run();
  const taken = expect.stringContaining(`no run is named: ${id} is taken, the newest\n`);
  expect(await say('undo')).toMatchObject({ status: 0, stdout: 'removed  a.txt\n', stderr: taken });
  expect(await say('apply')).toMatchObject({ status: 0, stdout: 'written  a.txt\n', stderr: taken });
  const named = await say('undo', id);
  expect(named.status).toBe(0);
  expect(named.stderr).not.toContain('no run is named');
});

test('Y2 steer and answer without a run take the one that has not ended, and choose none of several', async () => {
  const { say, run } = await started(ASKS);
  const id = await run();
  const taken = expect.stringContaining(`no run is named: ${id} is taken, the one that has not ended\n`);
  expect(await say('steer', 'use less paint')).toMatchObject({ status: 0, stderr: taken });
  const forgotten = await say('answer', id.slice(-8));
  expect(forgotten).toMatchObject({ status: 2, stderr: expect.stringContaining('TEXT: expected words') });
  expect(await say('answer', '2')).toMatchObject({
    status: 0,
    stderr: expect.stringContaining('has the answer: blue'),
  });
  const other = await run();
  for (const words of [['answer', '2'], ['steer', 'x'], ['undo'], ['apply']]) {
    const { status, stderr } = await say(...words);
    expect({ status, names: [id, other].every((one) => stderr.includes(one)) }).toEqual({ status: 2, names: true });
  }
  expect((await say('answer', other.slice(-8), 'red')).status).toBe(0);
});
