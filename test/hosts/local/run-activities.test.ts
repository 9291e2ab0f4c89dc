import { filter, firstValueFrom, lastValueFrom, toArray } from 'rxjs';
import { expect, test } from 'vitest';
import type { RunOptions } from '../../../src/config/options.ts';
import { Loops } from '../../../src/hosts/local/local-host.ts';
import type { LiveRun } from '../../../src/app/running/live-runs.ts';
import type { Model } from '../../../src/actors/model/model.ts';
import { type AnyScript, scriptedModel } from '../../../src/actors/model/model-script.ts';
import { memoryLog } from '../../../src/log/sqlite/engine.ts';
import { MAX_ACTIVITY_TEXT_CHARS } from '../../../src/projections/activities.ts';
import { repository } from '../../git/repository.ts';
import { testInTurn } from '../../support/in-turn.ts';
import { stopped } from '../../support/stand-ins.ts';

const hanging: Model = {
  ...scriptedModel({ answers: [{ text: '' }] }),
  answer: async (_request, call) => {
    await stopped(call);
    throw call.signal.reason;
  },
};
const attempt = (text: string) => ({ answers: [{ text }] });

async function loopOf(script: AnyScript, options: Partial<RunOptions> = {}) {
  const { root } = await repository({ 'sum.txt': '1' });
  const log = memoryLog();
  const loops = () => new Loops({ log, model: scriptedModel(script) });
  const live = await loops().start({ prompt: 'Make it three.', directory: root, checks: ['false'], ...options });
  return { loops, live, log };
}

const all = ({ activities }: Pick<LiveRun, 'activities'>) => lastValueFrom(activities.pipe(toArray()));

testInTurn('R6 a run has started, continues, and reaches its limit, with the prompt and the last answer', async () => {
  const { live } = await loopOf({ attempts: [attempt('one'), attempt('two')] }, { maxIterations: 2 });
  const activities = await all(live);
  const [started, continuing, ended] = activities;
  const shared = { run: live.run, maxIterations: 2, label: null, at: expect.stringMatching(/Z$/) };
  expect(activities).toHaveLength(3);
  expect(started).toEqual({
    ...shared,
    status: 'started',
    iteration: 1,
    reason: expect.any(String),
    continuationPrompt: null,
    lastResponse: null,
  });
  expect(continuing).toMatchObject({ ...shared, status: 'continuing', iteration: 2, lastResponse: 'one' });
  expect(continuing?.continuationPrompt).toMatch(/^Make it three\.[^]*attempt 2 of 2/);
  expect(ended).toMatchObject({ ...shared, status: 'max_iterations', iteration: 2, lastResponse: 'two' });
  expect(ended?.continuationPrompt).toBeNull();
});

testInTurn('R6 R5 a Ralph loop, which writes its file before an attempt, continues with the prompt of R5', async () => {
  // Given an agent that never promises anything
  const script = { attempts: [attempt('one'), attempt('two'), attempt('three')] };
  const { live } = await loopOf(script, { labels: ['ralph-wiggum-3'] });
  // When a program subscribes while the run works, and again after its end
  const early = all(live);
  await live.done;
  // Then each continuation has the prompt that its attempt was given, and what the attempt before answered
  const activities = await early;
  expect(activities.map(({ status, iteration }) => [status, iteration])).toEqual([
    ['started', 1],
    ['continuing', 2],
    ['continuing', 3],
    ['max_iterations', 3],
  ]);
  const [started, second, third, ended] = activities;
  expect(second?.continuationPrompt).toMatch(/^# Ralph Wiggum Loop - Iteration 2\/3[^]*Make it three\./);
  expect(third?.continuationPrompt).toMatch(/^# Ralph Wiggum Loop - Iteration 3\/3/);
  expect([started, ended].map((activity) => activity?.continuationPrompt)).toEqual([null, null]);
  expect(activities.map(({ lastResponse }) => lastResponse)).toEqual([null, 'one', 'two', 'three']);
  expect(await all(live)).toEqual(activities);
});

testInTurn('R6 a subscriber gets what was before, also after the run has ended', async () => {
  const { live } = await loopOf({ attempts: [attempt('one'), attempt('two')] }, { maxIterations: 2 });
  const early = all(live);
  await live.done;
  const late = await all(live);
  expect(late).toHaveLength(3);
  expect(late).toEqual(await early);
});

testInTurn('R6 an activity is there while its attempt runs', async () => {
  const { live } = await loopOf({ attempts: [attempt('one'), attempt('two')] }, { maxIterations: 2 });
  const seen = await firstValueFrom(live.activities.pipe(filter(({ status }) => status === 'continuing')));
  expect(seen.continuationPrompt).toContain('attempt 2 of 2');
  await live.done;
});

testInTurn('R6 work that passes its checks is completed, and what a person ends is stopped', async () => {
  const passed = await loopOf(
    { attempts: [attempt('one')] },
    { checks: ['true'], checkIn: 'workspace', maxIterations: 2 },
  );
  expect((await all(passed.live)).map(({ status }) => status)).toEqual(['started', 'completed']);

  const { root } = await repository({ 'sum.txt': '1' });
  const loops = new Loops({ log: memoryLog(), model: hanging });
  const live = await loops.start({
    prompt: 'Make it three.',
    directory: root,
    checks: ['false'],
    checkIn: 'workspace',
  });
  const activities = all(live);
  await live.abort('enough');
  expect((await activities).at(-1)).toMatchObject({ status: 'stopped', iteration: 1, reason: /enough|abort/ });
});

testInTurn('R6 a resumed run has the activities from before the pause, each once', async () => {
  const { live, loops } = await loopOf({ attempts: [attempt('one'), attempt('two')] }, { maxIterations: 2 });
  await firstValueFrom(live.activities);
  await live.pause('user');
  await live.done;
  const before = await all(live);
  const resumed = await loops().resume(live.run);
  if (resumed.kind !== 'live') throw new Error(resumed.kind);
  const activities = await all(resumed.live);
  expect(activities.slice(0, before.length).map(({ status }) => status)).toEqual(before.map(({ status }) => status));
  expect(activities.map(({ status }) => status)).toEqual(['started', 'continuing', 'max_iterations']);
});

testInTurn('R6 long texts keep their beginning and their end', async () => {
  const prompt = `begins ${'x'.repeat(2 * MAX_ACTIVITY_TEXT_CHARS)} ends`;
  const { live } = await loopOf({ attempts: [attempt(prompt), attempt('two')] }, { maxIterations: 2, prompt });
  const [, continuing] = await all(live);
  for (const text of [continuing?.continuationPrompt, continuing?.lastResponse]) {
    expect(text?.length).toBe(MAX_ACTIVITY_TEXT_CHARS);
    expect(text).toMatch(/^begins x+…x+/);
  }
  expect(continuing?.lastResponse).toMatch(/ ends$/);
});

test('R6 a turn has no activities', async () => {
  const { live } = await loopOf({ answers: [{ text: 'done' }] }, { loop: 'turn', checks: [] });
  expect(await all(live)).toEqual([]);
});

test('X5 the silence of an agent of others is an activity, and a report to webhooks, while it lasts', async () => {
  const { root } = await repository({ 'sum.txt': '1' });
  const log = memoryLog();
  const loops = new Loops({ log, model: hanging });
  const webhooks = [{ url: 'http://127.0.0.1:9/hook', statuses: ['quiet' as const] }];
  const live = await loops.start({ prompt: 'Make it three.', directory: root, checks: ['false'], webhooks });
  const quiet = firstValueFrom(live.activities.pipe(filter(({ status }) => status === 'quiet')));
  await expect.poll(() => log.tree(live.run)).toHaveLength(2);
  const [, attempt] = await log.tree(live.run);
  const message = 'claude has given no sign of life for 5m; after 15m it is ended.';
  await log.post(attempt?.run ?? '', { type: 'warning.raised', payload: { code: 'agent_quiet', message } });
  expect(await quiet).toMatchObject({ status: 'quiet', iteration: 1, reason: message, run: live.run });
  const [owed] = await log.undelivered();
  expect(JSON.parse(owed?.body ?? '')).toMatchObject({ type: 'loop.quiet', reason: message });
  live.stopReporting();
  await live.abort();
  await live.done;
});
