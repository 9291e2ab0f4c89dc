import type { TestRunner } from '../../testing/log-contract/contract.ts';
import { recorded, story } from './run-story.ts';
import type { OpenHost } from './host-under-test.ts';

const READ = { tool: 'list', arguments: { path: '.' } };
const ASK = { tool: 'ask_user', arguments: { question: 'Which one?' } };
const ASK_TO_READ = { tool: 'request_read_access', arguments: { path: '/etc', reason: 'to look' } };
/** Each attempt adds a line to a file, and the check asks for two. */
const ADD = { tool: 'shell', arguments: { command: 'echo line >> lines.txt' } };
const CHECK = 'test "$(wc -l < lines.txt)" -ge 2';

const DONE = ['stop: finished; nothing was asked to be checked', 'success'];

/**
 * Registers a test for what every host of loops does the same: each decision and ending, event by event, of parallel
 * calls, a question, an approval, attempts with a check, a restart, a steering text and an abort.
 *
 * @example
 * import { describe, expect, onTestFinished, test } from 'vitest';
 *
 * hostContract(async (script) => hostOf(scriptedModel(script)), { describe, expect, onTestFinished, test });
 */
export function hostContract(open: OpenHost, runner: TestRunner): void {
  working(open, runner);
  waitingForUsers(open, runner);
  commanding(open, runner);
}

/** A run that no user is asked about: its steps, and its attempts. */
function working(open: OpenHost, { expect, test }: TestRunner): void {
  test('parallel calls are answered before the next step', async () => {
    const { log, start } = await open({ answers: [{ calls: [READ, READ] }, { text: 'done' }] });
    const run = await start({ prompt: 'Look twice.', loop: 'turn', tools: ['list'] });
    expect(await story(log, run)).toEqual(['continue: the first step', 'continue: the calls are answered', ...DONE]);
    expect(await log.verifyTree(run)).toMatchObject({ kind: 'intact' });
  });

  test('attempts are runs of their own, and the check decides whether another one begins', async () => {
    const { log, start } = await open({ answers: [{ calls: [ADD] }, { text: 'done' }] });
    const run = await start({
      prompt: 'Write two lines.',
      loop: 'iteration',
      tools: ['shell'],
      checks: [CHECK],
      maxIterations: 3,
    });
    const attempt = ['continue: the first step', 'continue: the calls are answered', ...DONE];
    expect(await story(log, run)).toEqual([
      'continue: the first iteration',
      'settled: success',
      'verified: false',
      'continue: iteration 1/3: verification failed',
      'settled: success',
      'verified: true',
      'stop: the checks passed',
      'success',
      ...[...attempt, ...attempt].map((line) => `  ${line}`),
    ]);
  });
}

/** A run that waits for the answer or the approval of a user, also over a restart of its host. */
function waitingForUsers(open: OpenHost, { expect, test }: TestRunner): void {
  test('a question waits for its answer, which the next step knows', async () => {
    const { log, start, answer } = await open({ answers: [{ calls: [ASK] }, { text: 'done' }] });
    const run = await start({ prompt: 'Ask me.', loop: 'turn', tools: ['ask_user'] });
    await recorded(log, run, 'calls.admitted');
    await answer(run, 'the first');
    expect(await story(log, run)).toEqual([
      'continue: the first step',
      'answered: the first',
      'continue: the calls are answered',
      ...DONE,
    ]);
  });

  test('an approval lets a run go on with what it has asked for', async () => {
    const { log, start, grant } = await open({ answers: [{ calls: [ASK_TO_READ] }, { text: 'done' }] });
    const run = await start({ prompt: 'Read it.', loop: 'turn', tools: ['request_read_access'] });
    await recorded(log, run, 'calls.admitted');
    await grant(run);
    expect(await story(log, run)).toEqual([
      'continue: the first step',
      'granted: true',
      'continue: the calls are answered',
      ...DONE,
    ]);
  });

  test('a run that waits is taken over where its host starts again, and goes on as if nothing had been', async () => {
    const { log, start, answer, restart } = await open({ answers: [{ calls: [READ, ASK] }, { text: 'done' }] });
    const run = await start({ prompt: 'Ask me.', loop: 'turn', tools: ['list', 'ask_user'] });
    await recorded(log, run, 'tool.completed');
    await restart();
    await answer(run, 'the first');
    expect(await story(log, run)).toEqual([
      'continue: the first step',
      'answered: the first',
      'continue: the calls are answered',
      ...DONE,
    ]);
    expect(await log.verifyTree(run)).toMatchObject({ kind: 'intact' });
  });
}

/** Commands to a run that waits. */
function commanding(open: OpenHost, { expect, test }: TestRunner): void {
  test('a steering text reaches a run that waits, and an abort ends it with what it rests on', async () => {
    const { log, start, steer, abort } = await open({ answers: [{ calls: [ASK] }, { text: 'done' }] });
    const run = await start({ prompt: 'Ask me.', loop: 'turn', tools: ['ask_user'] });
    await recorded(log, run, 'calls.admitted');
    await steer(run, 'Hurry.');
    await recorded(log, run, 'run.steered');
    await abort(run);
    const told = await story(log, run);
    expect(told.slice(0, 2)).toEqual(['continue: the first step', 'steered: Hurry.']);
    expect(told.slice(-1)).toEqual(['abort']);
    expect(told.filter((line) => line === 'abort: user')).toHaveLength(1);
  });
}
