import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import { testInTurn } from '../support/in-turn.ts';
import { approving } from './approving-project.ts';
import { loopfold, MODEL, project, resultIn, Terminal } from './program.ts';
import { loopfold as warmLoopfold } from './warm-process.ts';

const wants = { tool: 'request_read_access', arguments: { path: '/etc/hosts', reason: 'the task names it' } };

testInTurn(
  'T9 the printed command approves exactly what was printed, and a later one is told of the first',
  async () => {
    const { how, words } = await approving();
    const { status, stderr } = await loopfold(words, how);
    expect(status).toBe(14);
    expect(stderr).toMatch(/^\? May the work be used\?\n {2}allows {2}the loop uses the work of event \d+$/m);
    const [, printed = ''] = /^next .* (approve \w{8} state-file --digest [0-9a-f]{16})$/m.exec(stderr) ?? [];
    expect(printed).not.toBe('');
    await loopfold(['steer', '--last', 'Use tabs.'], how);
    const outdated = await loopfold(printed.split(' '), how);
    expect(outdated.status).toBe(2);
    expect(outdated.stderr).toContain('the digest given is not that of what call state-file allows now');
    const [, next = ''] = /(approve \w{8} state-file --digest [0-9a-f]{16})$/m.exec(outdated.stderr) ?? [];
    expect(next).not.toBe(printed);
    const approved = await loopfold(next.split(' '), how);
    expect(approved.stderr).toMatch(/has the approval: the loop uses the work of event \d+$/m);
    expect(approved.status).toBe(0);
    const again = await loopfold(['deny', '--last', 'state-file', '--reason', 'no'], how);
    expect(again.status).toBe(2);
    expect(again.stderr).toMatch(/call state-file was answered at \d{4}-.*Z: approved: the loop uses/);
  },
);

testInTurn(
  'T9 a program gets what an approval allows and its digest, and a denial is recorded with its reason',
  async () => {
    const { how, words } = await approving();
    const ended = await loopfold([...words, '--output-format', 'json'], how);
    const [question] = resultIn(ended).questions;
    expect(question).toMatchObject({ kind: 'approval', callId: 'state-file', path: null });
    expect(question?.approval?.digest).toMatch(/^[0-9a-f]{64}$/);
    const denied = await loopfold(['deny', '--last', 'state-file', '--reason', 'Not yet.'], how);
    expect([denied.status, denied.stderr]).toEqual([0, expect.stringContaining('was denied the approval: the loop')]);
    expect((await loopfold(['events', '--last', '--json'], how)).stdout).toContain('denied; Not yet.');
  },
);

describe.runIf(process.platform === 'linux')('T9 at a terminal an approval is asked for with what it allows', () => {
  test('and given by a y alone', async () => {
    const { how, words } = await approving();
    const terminal = new Terminal(words, how);
    await terminal.shows('allows  the loop uses the work of event');
    await terminal.shows('y/N, or why not > ');
    terminal.type('\n');
    await terminal.shows('y/N, or why not > ');
    terminal.type('y\n');
    const { status, stdout } = await terminal.ended;
    expect(stripVTControlCharacters(stdout)).toContain('success, weak');
    expect(status).toBe(16);
  });

  testInTurn('T9 an approval is asked for again when what it allows changes at the open prompt', async () => {
    const { how, words } = await approving();
    const terminal = new Terminal(words, how);
    await terminal.shows('y/N, or why not > ');
    await loopfold(['steer', '--last', 'Use tabs.'], how);
    await terminal.shows('allows  the loop uses the work of event');
    await terminal.shows('y/N, or why not > ');
    terminal.type('y\n');
    // The task was added to, so there is another round, and another approval.
    await terminal.shows('y/N, or why not > ');
    terminal.type('y\n');
    expect((await terminal.ended).status).toBe(16);
  });
});

test('T9 of an approval and a denial at the same moment, from two processes, exactly one is taken', async () => {
  const cwd = await project({ answers: [{ calls: [wants] }, { text: 'read' }] }, {}, false);
  await warmLoopfold(['run', 'x', ...MODEL], { cwd });
  const both = await Promise.all([
    warmLoopfold(['approve', '--last', '0.0'], { cwd }),
    warmLoopfold(['deny', '--last', '0.0'], { cwd }),
  ]);
  expect(both.map(({ status }) => status).toSorted()).toEqual([0, 2]);
  expect(both.find(({ status }) => status === 2)?.stderr).toMatch(
    /call 0\.0 was answered at \d{4}-.*Z: (granted|denied): \/etc\/hosts/,
  );
  const { stdout } = await warmLoopfold(['events', '--last', '--json'], { cwd });
  expect(stdout.match(/"person\.answered"/g)).toHaveLength(1);
});
