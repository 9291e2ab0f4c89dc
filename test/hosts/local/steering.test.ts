import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { repository } from '../../actors/workspace/repository.ts';
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

test('words to a run that works are heard before its next answer, and no work is finished before', async () => {
  const { gated, reached, open } = gate();
  const script = { answers: [{ calls: [{ tool: 'gate' }, { tool: 'finish', arguments: { answer: 'x' } }] }, { text: 'with tabs' }] };
  const house = office(script, { tools: [gated] });
  const live = await house.start();
  await reached;
  expect(await house.loops().steer(live.run, 'Use tabs.')).toMatchObject({ kind: 'heard' });
  open();
  expect(await live.done).toMatchObject({ outcome: { ending: 'success' }, answer: 'with tabs' });
  expect(house.requests.map(wordsIn)).toEqual([['Do it.'], ['Do it.', 'Use tabs.']]);
});

test('words to a run that nobody serves are heard when it is resumed', async () => {
  const house = office({ answers: [{ calls: [ask('Tabs?')] }, { text: 'done' }] });
  const run = await leftWaiting(house);
  expect(await house.loops().steer(run, 'Be quick.')).toMatchObject({ kind: 'heard' });
  expect(await house.loops().answer(run, { text: 'yes' })).toMatchObject({ kind: 'heard' });
  expect(house.requests).toHaveLength(1);
  await (await resumed(house.loops(), run)).done;
  expect(house.requests.map(wordsIn).at(-1)).toEqual(['Do it.', 'Be quick.']);
});

test('words to a loop reach the attempt that works, and every later one', async () => {
  const { root } = await repository({ 'a.txt': '1' });
  const house = office({ attempts: [{ answers: [{ calls: [ask('Tabs?')] }, { text: 'one' }] }, { answers: [{ text: 'two' }] }] });
  const live = await house.start({ loop: 'iteration', directory: root, checks: ['false'], maxIterations: 2 });
  await untilWaiting(live);
  expect(await house.loops().steer(live.run, 'Use tabs.')).toMatchObject({ kind: 'heard' });
  const [steered] = await factsOf(house.log, live.run, 'run.steered');
  expect(steered?.run).not.toBe(live.run);
  await house.loops().answer(live.run, { text: 'yes' });
  await live.done;
  const [first, second, third] = house.requests.map(wordsIn);
  expect(first).toEqual(['Do it.']);
  expect(second).toEqual(['Do it.', 'Use tabs.']);
  expect(third?.[0]).toMatch(/^Do it\.\n\nSince then .* has said:\nUse tabs\.\n\nThis is attempt 2 of 2\./);
});

test('words between two attempts hold back success until an attempt has heard them', async () => {
  const { root } = await repository({ 'a.txt': '1' });
  const house = office({ attempts: [{ answers: [{ text: 'one' }] }, { answers: [{ text: 'two' }] }] });
  const checks = ['while test ! -e go; do sleep 0.05; done'];
  const live = await house.start({ loop: 'iteration', directory: root, checks, maxIterations: 3 });
  await expect.poll(() => factsOf(house.log, live.run, 'workspace.captured'), { timeout: 120_000 }).toHaveLength(1);
  expect(await house.loops().steer(live.run, 'Use tabs.')).toMatchObject({ kind: 'heard' });
  expect((await factsOf(house.log, live.run, 'run.steered')).map(({ run }) => run)).toEqual([live.run]);
  await writeFile(join(root, 'go'), '');
  expect(await live.done).toMatchObject({ outcome: { ending: 'success' }, answer: 'two' });
  const decided = (await factsOf(house.log, live.run, 'decision.made')).filter(({ run }) => run === live.run);
  expect(decided.map(({ payload }) => payload.reason)).toEqual(['the first iteration', 'a person has said more', 'the checks passed']);
  expect(house.requests.map(wordsIn).at(-1)?.[0]).toContain('Use tabs.');
});

test('words are refused where nobody will hear them', async () => {
  const house = office({ answers: [{ text: 'done' }] });
  const live = await house.start();
  await live.done;
  const refused = { kind: 'refused', because: 'not_taken', message: 'the run has ended', open: [] };
  expect(await house.loops().steer(live.run, 'Use tabs.')).toEqual(refused);
  expect(await house.loops().pause(live.run)).toEqual(refused);
  expect(await house.loops().steer(live.run, '')).toMatchObject({ because: 'empty' });
  expect(await house.loops().steer('nobody', 'x')).toEqual({ kind: 'unknown_run', run: 'nobody' });
});

test('what another process left in the inbox is settled first, and a call that asks nobody is not answered', async () => {
  const house = office({ answers: [{ calls: [request('/')] }, { text: 'done' }] });
  const run = await leftWaiting(house);
  const posted = await house.log.post(run, { type: 'person.answered', payload: { callId: '3.0', answer: 'forged' } });
  expect(await house.loops().steer(run, 'x')).toMatchObject({ kind: 'heard' });
  expect((await house.log.entry(posted.id))?.status).toEqual({ kind: 'rejected', reason: 'call 3.0 is not waiting for a person' });
});
