import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testInTurn } from '../support/in-turn.ts';
import { APPROVING, approving } from './approving-project.ts';
import { MODEL, project } from './program.ts';
import { loopfold } from './warm-process.ts';

const asks = (question: string) => ({ tool: 'ask_user', arguments: { question, choices: ['red', 'blue'] } });
const wants = { tool: 'request_read_access', arguments: { path: '/etc/hosts', reason: 'to compare' } };
const SCRIPT = { answers: [{ calls: [asks('Which colour?'), wants] }, { text: 'painted' }] };

test('T9 the inbox lists what runs ask, and each printed command answers its question', async () => {
  const cwd = await project(SCRIPT, {}, false);
  await loopfold(['run', 'x', ...MODEL], { cwd });
  await loopfold(['run', 'y', ...MODEL], { cwd });
  const { status, stdout, stderr } = await loopfold(['inbox'], { cwd });
  expect([status, stderr]).toEqual([0, '']);
  const shape = stdout.replaceAll(/[0-9a-f]{8} /g, 'ID ').replaceAll(/since \S+Z \([^)]*\)/g, 'since T');
  const one = [
    'run ID  since T',
    '? Which colour?',
    '  1  red',
    '  2  blue',
    expect.stringMatching(/^ {2}\S.* answer ID --call 0\.0 TEXT$/),
    'run ID  since T',
    '? permission for reading /etc/hosts: to compare',
    '  allows  reading /etc/hosts and everything below it',
    expect.stringMatching(/^ {2}\S.* approve ID 0\.1 --digest [0-9a-f]{16}$/),
    expect.stringMatching(/^ {2}\S.* deny ID 0\.1$/),
  ];
  expect(shape.trimEnd().split('\n')).toEqual([...one, ...one]);
  const printed = [...stdout.matchAll(/ ((?:answer|deny) \w{8} .*)$/gm)].map(([, words = '']) => words.split(' '));
  for (const words of printed) {
    const given = words.map((word) => (word === 'TEXT' ? 'red' : word));
    expect((await loopfold(given, { cwd })).status).toBe(0);
  }
  const empty = await loopfold(['inbox'], { cwd });
  expect(empty).toEqual({ status: 0, stdout: '', stderr: 'no run waits for a person\n' });
  expect(JSON.parse((await loopfold(['inbox', '--json'], { cwd })).stdout)).toEqual([]);
});

testInTurn(
  'T9 the inbox as JSON has the root, the question and the commands, the newest first on request',
  async () => {
    const cwd = await project(SCRIPT, {}, false);
    await loopfold(['run', 'x', ...MODEL], { cwd });
    await loopfold(['run', 'y', ...MODEL], { cwd });
    const { stdout } = await loopfold(['inbox', '--json'], { cwd });
    const items = JSON.parse(stdout);
    expect(items).toHaveLength(4);
    expect(items[0]).toMatchObject({
      root: items[0].run,
      kind: 'question',
      choices: ['red', 'blue'],
      since: items[0].askedAt,
      commands: [expect.stringMatching(/ answer \w{8} --call 0\.0 TEXT$/)],
    });
    const newest = await loopfold(['inbox', '--json', '--newest', '--limit', '1'], { cwd });
    expect(JSON.parse(newest.stdout)).toEqual([items[3]]);
    expect(newest.stderr).toBe('3 more: --limit 4\n');
    const wrong = await loopfold(['inbox', '--limit', 'many'], { cwd });
    expect([wrong.status, wrong.stderr]).toEqual([2, expect.stringContaining('--limit')]);
  },
);

testInTurn("T9 the inbox lists approvals of one's own loops, and names a run whose module is gone", async () => {
  const { cwd, how, words } = await approving();
  await loopfold(words, how);
  const { stdout } = await loopfold(['inbox'], how);
  expect(stdout).toMatch(/^ {2}allows {2}the loop uses the work of event \d+\n {2}\S.* --digest [0-9a-f]{16}$/m);
  await rm(join(cwd, APPROVING));
  const { status, stdout: named } = await loopfold(['inbox'], how);
  expect(named).toMatch(/^run \w{8} .*\n! cannot be read here: .*approving@1.*\n {2}\S.* events \w{8}$/m);
  expect(status).toBe(0);
});
