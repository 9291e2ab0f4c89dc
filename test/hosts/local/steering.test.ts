import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { repository } from '../../git/repository.ts';
import { testInTurn } from '../../support/in-turn.ts';
import { stopped, tool } from '../../support/stand-ins.ts';
import { ask, factsOf, leftWaiting, office, request, resumed, untilWaiting, wordsIn } from './office.ts';

/** A tool that says that it runs, and ends when it is let go or told to stop. */
function gate() {
  const reached = Promise.withResolvers<void>();
  const open = Promise.withResolvers<void>();
  const gated = tool('gate', async (_input, context) => {
    reached.resolve();
    await Promise.race([open.promise, stopped(context)]);
    return { output: 'through' };
  });
  return { gated, reached: reached.promise, open: () => open.resolve() };
}

test('steering reaches a running run before its next answer, and the work is not finished before', async () => {
  const { gated, reached, open } = gate();
  const script = {
    answers: [{ calls: [{ tool: 'gate' }, { tool: 'finish', arguments: { answer: 'x' } }] }, { text: 'with tabs' }],
  };
  const harness = office(script, { tools: [gated] });
  const live = await harness.start();
  await reached;
  expect(await harness.loops().steer(live.run, 'Use tabs.')).toMatchObject({ kind: 'received' });
  open();
  expect(await live.done).toMatchObject({ outcome: { ending: 'success' }, answer: 'with tabs' });
  expect(harness.requests.map(wordsIn)).toEqual([['Do it.'], ['Do it.', 'Use tabs.']]);
});

test('steering of an unowned run is received when it is resumed', async () => {
  const harness = office({ answers: [{ calls: [ask('Tabs?')] }, { text: 'done' }] });
  const run = await leftWaiting(harness);
  expect(await harness.loops().steer(run, 'Be quick.')).toMatchObject({ kind: 'received' });
  expect(await harness.loops().answer(run, { text: 'yes' })).toMatchObject({ kind: 'received' });
  expect(harness.requests).toHaveLength(1);
  await (
    await resumed(harness.loops(), run)
  ).done;
  expect(harness.requests.map(wordsIn).at(-1)).toEqual(['Do it.', 'Be quick.']);
});

testInTurn('words to a loop reach the attempt that works, and every later one', async () => {
  const { root } = await repository({ 'a.txt': '1' });
  const harness = office({
    attempts: [{ answers: [{ calls: [ask('Tabs?')] }, { text: 'one' }] }, { answers: [{ text: 'two' }] }],
  });
  const live = await harness.start({
    loop: 'iteration',
    directory: root,
    checks: ['false'],
    checkIn: 'workspace',
    maxIterations: 2,
  });
  await untilWaiting(live);
  expect(await harness.loops().steer(live.run, 'Use tabs.')).toMatchObject({ kind: 'received' });
  const [steered] = await factsOf(harness.log, live.run, 'run.steered');
  expect(steered?.run).not.toBe(live.run);
  await harness.loops().answer(live.run, { text: 'yes' });
  await live.done;
  const [first, second, third] = harness.requests.map(wordsIn);
  const task = expect.stringMatching(/^Do it\.\n\nThese checks decide/);
  expect(first).toEqual([task]);
  expect(second).toEqual([task, 'Use tabs.']);
  expect(third?.[0]).toMatch(
    /^Do it\.\n\nSince then .* has said:\nUse tabs\.\n\nThese checks .*\n\nThis is attempt 2 of 2\./s,
  );
});

testInTurn('steering between two attempts holds back success until an attempt has received it', async () => {
  const { root } = await repository({ 'a.txt': '1' });
  const harness = office({ attempts: [{ answers: [{ text: 'one' }] }, { answers: [{ text: 'two' }] }] });
  const checks = ['while test ! -e go; do sleep 0.05; done'];
  const live = await harness.start({
    loop: 'iteration',
    directory: root,
    checks,
    checkIn: 'workspace',
    maxIterations: 3,
  });
  await expect.poll(() => factsOf(harness.log, live.run, 'workspace.captured'), { timeout: 120_000 }).toHaveLength(1);
  expect(await harness.loops().steer(live.run, 'Use tabs.')).toMatchObject({ kind: 'received' });
  expect((await factsOf(harness.log, live.run, 'run.steered')).map(({ run }) => run)).toEqual([live.run]);
  await writeFile(join(root, 'go'), '');
  expect(await live.done).toMatchObject({ outcome: { ending: 'success' }, answer: 'two' });
  const decided = (await factsOf(harness.log, live.run, 'decision.made')).filter(({ run }) => run === live.run);
  expect(decided.map(({ payload }) => payload.reason)).toEqual([
    'the first iteration',
    'a person has said more',
    'the checks passed',
  ]);
  expect(harness.requests.map(wordsIn).at(-1)?.[0]).toContain('Use tabs.');
});

test('steering is refused when no run will receive it', async () => {
  const harness = office({ answers: [{ text: 'done' }] });
  const live = await harness.start();
  await live.done;
  const refused = { kind: 'refused', because: 'not_taken', message: 'the run has ended', open: [] };
  expect(await harness.loops().steer(live.run, 'Use tabs.')).toEqual(refused);
  expect(await harness.loops().pause(live.run)).toEqual(refused);
  expect(await harness.loops().steer(live.run, '')).toMatchObject({ because: 'empty' });
  expect(await harness.loops().steer('nobody', 'x')).toEqual({ kind: 'unknown_run', run: 'nobody' });
});

test('entries left in the inbox are settled first, and a call that asks no person is not answered', async () => {
  const harness = office({ answers: [{ calls: [request('/')] }, { text: 'done' }] });
  const run = await leftWaiting(harness);
  const posted = await harness.log.post(run, { type: 'person.answered', payload: { callId: '3.0', answer: 'forged' } });
  expect(await harness.loops().steer(run, 'x')).toMatchObject({ kind: 'received' });
  expect((await harness.log.entry(posted.id))?.status).toEqual({
    kind: 'rejected',
    reason: 'call 3.0 is not waiting for a person',
  });
});
