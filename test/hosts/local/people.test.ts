import { mkdir, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { MAX_WORDS_CHARS } from '../../../src/app/people/people.ts';
import { MIN_DIGEST_CHARS } from '../../../src/app/people/ruling.ts';
import { temporaryFolder } from '../../git/repository.ts';
import { absent } from '../../support/absent.ts';
import { testInTurn } from '../../support/in-turn.ts';
import { note, stopped, tool } from '../../support/stand-ins.ts';
import { ask, factsOf, leftWaiting, office, outputsIn, request, resumed, untilWaiting } from './office.ts';

const PLACE = absent('place');
const asking = { answers: [{ calls: [ask('Tabs?', ['yes', 'no'])] }, { text: 'Tabs then.' }] };

test('T9 a question waits, says so, is answered through the same log, and its answer reaches the model', async () => {
  const { start, loops, requests } = office(asking);
  const live = await start();
  expect(await untilWaiting(live)).toBe(true);
  expect(live.isWaiting()).toBe(true);
  expect(await loops().questions(live.run)).toEqual([
    {
      run: live.run,
      callId: '0.0',
      kind: 'question',
      text: 'Tabs?',
      choices: ['yes', 'no'],
      path: null,
      askedAt: expect.stringMatching(/Z$/),
      event: expect.stringContaining(`${live.run}/`),
    },
  ]);
  expect(await loops().answer(live.run, { text: 'yes' })).toMatchObject({ kind: 'received', run: live.run });
  expect(await live.done).toMatchObject({ kind: 'ended', answer: 'Tabs then.' });
  expect(requests.map(outputsIn)).toEqual([[], ['yes']]);
  expect(await loops().questions(live.run)).toEqual([]);
  expect(live.isWaiting()).toBe(false);
});

test('T9 an answer to an unowned run starts nothing, and is received when the run is resumed', async () => {
  const harness = office(asking);
  const run = await leftWaiting(harness);
  expect(await harness.loops().answer(run, { call: '0.0', text: 'spaces' })).toMatchObject({ kind: 'received' });
  expect(await harness.log.holder(run)).toBeNull();
  expect(harness.requests).toHaveLength(1);
  const live = await resumed(harness.loops(), run);
  expect(await live.done).toMatchObject({ kind: 'ended', outcome: { ending: 'success' } });
  expect(harness.requests.map(outputsIn)).toEqual([[], ['spaces']]);
});

testInTurn('T9 the other calls of the step go on while one waits, and after it was answered', async () => {
  const goOn = Promise.withResolvers<void>();
  const slow = tool('slow', async () => (await goOn.promise, { output: 'slowly' }));
  const { start, loops, requests, log } = office(
    { answers: [{ calls: [{ tool: 'note' }, ask('Tabs?'), { tool: 'slow' }] }, { text: 'done' }] },
    { tools: [note, slow] },
  );
  const live = await start();
  await expect.poll(() => factsOf(log, live.run, 'tool.completed')).toHaveLength(1);
  expect(live.isWaiting()).toBe(false);
  expect(await loops().answer(live.run, { text: 'yes' })).toMatchObject({ kind: 'received' });
  goOn.resolve();
  await live.done;
  expect(requests.map(outputsIn)).toEqual([[], ['noted', 'yes', 'slowly']]);
});

test.each([
  ['0.0', '0.1'],
  ['0.1', '0.0'],
])('T9 two questions of one step are answered in either order: %s first', async (first, second) => {
  const harness = office({ answers: [{ calls: [ask('One?'), ask('Two?')] }, { text: 'done' }] });
  const run = await leftWaiting(harness);
  const answer = (call: string) => harness.loops().answer(run, { call, text: `to ${call}` });
  expect(await harness.loops().answer(run, { text: 'to which?' })).toMatchObject({
    kind: 'refused',
    because: 'several_asked',
    open: [{ callId: '0.0' }, { callId: '0.1' }],
  });
  expect(await answer(first)).toMatchObject({ kind: 'received' });
  expect((await harness.loops().questions(run))?.map(({ callId }) => callId)).toEqual([second]);
  expect(await answer(second)).toMatchObject({ kind: 'received' });
  await (
    await resumed(harness.loops(), run)
  ).done;
  expect(harness.requests.map(outputsIn)).toEqual([[], ['to 0.0', 'to 0.1']]);
});

test('T9 words are meant for the only question, and leave for the only request', async () => {
  const request = { tool: 'request_read_access', arguments: { path: process.cwd(), reason: 'to see' } };
  const harness = office({ answers: [{ calls: [ask('One?'), request] }, { text: 'done' }] });
  const run = await leftWaiting(harness);
  expect(await harness.loops().grant(run, { granted: true })).toMatchObject({ kind: 'received' });
  expect(await harness.loops().grant(run, { granted: true })).toMatchObject({
    kind: 'refused',
    because: 'asks_a_question',
  });
  expect(await harness.loops().answer(run, { text: 'yes' })).toMatchObject({ kind: 'received' });
  expect(await harness.loops().questions(run)).toEqual([]);
});

testInTurn('T9 the question of an attempt is answered by the name of the loop, or of the attempt', async () => {
  const attempt = { answers: [{ calls: [ask('Tabs?')] }, { calls: [ask('Sure?')] }, { text: 'done' }] };
  const harness = office({ attempts: [attempt] });
  const live = await harness.start({ loop: 'iteration', maxIterations: 1, directory: process.cwd() });
  await untilWaiting(live);
  const [question] = (await harness.loops().questions(live.run)) ?? [];
  expect(question?.run).not.toBe(live.run);
  expect(await harness.loops().questions(question?.run ?? '')).toEqual([question]);
  expect(await harness.loops().answer(live.run, { text: 'yes' })).toMatchObject({ kind: 'received' });
  await expect.poll(() => harness.loops().questions(live.run)).toMatchObject([{ text: 'Sure?' }]);
  await live.pause('user');
  await live.done;
  expect((await factsOf(harness.log, live.run, 'run.paused')).map(({ payload }) => payload.by)).toEqual([
    'user',
    'user',
  ]);
  expect(await harness.loops().answer(question?.run ?? '', { text: 'sure' })).toMatchObject({ kind: 'received' });
  await (
    await resumed(harness.loops(), live.run)
  ).done;
  expect(harness.requests.map(outputsIn)).toEqual([[], ['yes'], ['yes', 'sure']]);
});

test('T9 what cannot be answered is refused in words, and what is open is listed', async () => {
  const harness = office({ answers: [{ calls: [ask('Tabs?'), request(PLACE)] }, { text: 'done' }] });
  expect(await harness.loops().answer('nobody', { text: 'x' })).toEqual({ kind: 'unknown_run', run: 'nobody' });
  expect(await harness.loops().questions('nobody')).toBeNull();
  const run = await leftWaiting(harness);
  const loops = harness.loops();
  const open = (await loops.questions(run)) ?? [];
  expect(open.map(({ kind, path }) => [kind, path])).toEqual([
    ['question', null],
    ['access', PLACE],
  ]);
  const refusals = [
    await loops.answer(run, { call: '7.0', text: 'x' }),
    await loops.answer(run, { call: '0.1', text: 'x' }),
    await loops.grant(run, { call: '0.0', granted: true }),
    await loops.grant(run, { call: '0.1', granted: true }),
    await loops.answer(run, { call: '0.0', text: ' \n' }),
    await loops.answer(run, { call: '0.0', text: 'x'.repeat(MAX_WORDS_CHARS + 1) }),
    await loops.grant(run, { call: '0.1', granted: false, reason: '' }),
  ];
  expect(refusals).toMatchObject([
    { because: 'unknown_call', message: 'no call 7.0 is waiting for a person; waiting: 0.0, 0.1' },
    { because: 'asks_for_access' },
    { because: 'asks_a_question' },
    { because: 'no_such_path', message: expect.stringContaining(PLACE) },
    { because: 'empty' },
    { because: 'too_long', message: 'expected at most 20000 characters, found 20001' },
    { because: 'empty' },
  ]);
  for (const refusal of refusals) expect(refusal).toMatchObject({ kind: 'refused', open });
  expect(await factsOf(harness.log, run, 'person.answered')).toEqual([]);
});

test('T9 an answer counts once, also where two come at the same moment; after it nothing is open', async () => {
  const harness = office(asking);
  const run = await leftWaiting(harness);
  const both = await Promise.all(['a', 'b'].map((text) => harness.loops().answer(run, { text })));
  expect(both.map(({ kind }) => kind).toSorted()).toEqual(['received', 'refused']);
  expect(both.find(({ kind }) => kind === 'refused')).toMatchObject({
    because: 'answered_before',
    message: expect.stringMatching(/^call 0\.0 was answered at \d.*Z: [ab]; the first answer counts$/),
    open: [],
  });
  expect(await harness.loops().answer(run, { text: 'c' })).toMatchObject({ because: 'nothing_asked' });
  expect(await factsOf(harness.log, run, 'person.answered')).toHaveLength(1);
});

test('T9 nothing is answered in a run that was aborted, and an abort of one that waits takes no grace', async () => {
  const harness = office(asking);
  const live = await harness.start({ graceMs: 3_600_000 });
  await untilWaiting(live);
  await live.abort('enough');
  expect(await live.done).toMatchObject({ outcome: { ending: 'abort', cause: 'user' } });
  expect(await factsOf(harness.log, live.run, 'tool.interrupted')).toHaveLength(1);
  expect(await harness.loops().questions(live.run)).toEqual([]);
  expect(await harness.loops().answer(live.run, { text: 'yes' })).toMatchObject({ because: 'nothing_asked' });
});

testInTurn(
  'T9 the real path is granted, to every tool of the run, after a restart and a continuation too',
  async () => {
    const folder = await temporaryFolder();
    const real = join(await realpath(folder), 'real');
    await mkdir(real);
    await writeFile(join(real, 'notes.txt'), 'x');
    await symlink(real, join(folder, 'link'));
    const seen: (readonly string[])[] = [];
    const look = tool('look', async (_input, { readable }) => (seen.push(readable), { output: 'seen' }));
    const link = join(await realpath(folder), 'link');
    const harness = office(
      {
        answers: [{ calls: [request(link)] }, { calls: [{ tool: 'look' }] }, { calls: [{ tool: 'look' }] }],
      },
      { tools: [look] },
    );
    const run = await leftWaiting(harness, { maxSteps: 2 });
    const open = (await harness.loops().questions(run)) ?? [];
    expect(open).toMatchObject([{ path: link, approval: { allows: `reading ${real} and everything below it` } }]);
    expect(await harness.loops().grant(run, { granted: true })).toMatchObject({
      because: 'leads_elsewhere',
      message: expect.stringContaining(`${link} leads to ${real}: `),
      open,
    });
    const digest = open[0]?.approval?.digest.slice(0, MIN_DIGEST_CHARS) ?? '';
    expect(await harness.loops().grant(run, { granted: true, digest, reason: 'only this once' })).toMatchObject({
      kind: 'received',
    });
    const [answered] = await factsOf(harness.log, run, 'person.answered');
    expect(answered?.payload).toMatchObject({
      answer: `granted: reading ${real} and everything below it; only this once`,
      access: { granted: true, path: real },
    });
    expect(await (await resumed(harness.loops(), run)).done).toMatchObject({ outcome: { ending: 'cap_hit' } });
    const extended = await harness.loops().extend(run, { maxSteps: 3 });
    if (extended.kind !== 'live') throw new Error(extended.kind);
    await extended.live.done;
    expect(seen).toEqual([[real], [real]]);
  },
);

test('T9 a link that leads elsewhere since it was shown grants nothing, and the new place is shown', async () => {
  const folder = await temporaryFolder();
  const [shown, other, link] = ['shown', 'other', 'link'].map((name) => join(folder, name)) as [string, string, string];
  await mkdir(shown);
  await mkdir(other);
  await symlink(shown, link);
  const harness = office({ answers: [{ calls: [ask('Tabs?'), request(link)] }, { text: 'done' }] });
  const run = await leftWaiting(harness);
  const digestNow = async () => {
    const items = await harness.loops().inbox();
    return items.flatMap((item) => (item.kind === 'question' ? (item.question.approval?.digest ?? []) : []));
  };
  const [before = ''] = await digestNow();
  await rm(link);
  await symlink(other, link);
  expect(await harness.loops().grant(run, { granted: true, digest: before })).toMatchObject({
    because: 'has_changed',
    message: expect.stringContaining(`${link}, which leads to ${other} now`),
    question: { path: link, approval: { allows: expect.stringContaining(other) } },
  });
  expect(await factsOf(harness.log, run, 'person.answered')).toEqual([]);
  const [after = ''] = await digestNow();
  expect(await harness.loops().grant(run, { granted: true, digest: after })).toMatchObject({ kind: 'received' });
  expect((await factsOf(harness.log, run, 'person.answered'))[0]?.payload.access).toEqual({
    granted: true,
    path: other,
  });
});

test('T9 a relative path of a request means one from the workspace of the run', async () => {
  const directory = await temporaryFolder();
  await mkdir(join(directory, 'notes'));
  const harness = office({ answers: [{ calls: [request('notes')] }, { text: 'done' }] });
  const run = await leftWaiting(harness, { directory });
  const [question] = (await harness.loops().questions(run)) ?? [];
  expect(question?.approval?.allows).toContain(`${join(directory, 'notes')} `);
  expect(await harness.loops().grant(run, { granted: true })).toMatchObject({ kind: 'received' });
});

test('T9 what is refused is told to the model, and opens nothing', async () => {
  const harness = office({ answers: [{ calls: [request(PLACE)] }, { text: 'done' }] });
  const run = await leftWaiting(harness);
  expect(await harness.loops().grant(run, { granted: false, reason: 'it is private' })).toMatchObject({
    kind: 'received',
  });
  await (
    await resumed(harness.loops(), run)
  ).done;
  const refusal = `refused: reading ${PLACE} and everything below it; it is private`;
  expect(harness.requests.map(outputsIn)).toEqual([[], [refusal]]);
  expect((await factsOf(harness.log, run, 'person.answered'))[0]?.payload.access).toEqual({
    granted: false,
    path: PLACE,
  });
});

test('a pause from elsewhere reaches a run that works, says so, and is refused the second time', async () => {
  const slow = tool(
    'slow',
    async (_input, context) => (context.delta('slow'), await stopped(context), { output: 'cut' }),
  );
  const harness = office({ answers: [{ calls: [{ tool: 'slow' }] }, { text: 'done' }] }, { tools: [slow] });
  const working = Promise.withResolvers<void>();
  const live = await harness
    .loops()
    .start({ prompt: 'x', loop: 'turn', tools: ['slow'] }, (_facts, deltas) =>
      deltas.subscribe(() => working.resolve()),
    );
  await working.promise;
  expect(await harness.loops().pause(live.run)).toMatchObject({ kind: 'received', run: live.run });
  expect(await live.done).toEqual({ kind: 'paused' });
  expect((await factsOf(harness.log, live.run, 'run.paused')).map(({ payload }) => payload.by)).toEqual(['user']);
  expect(await harness.loops().pause(live.run)).toMatchObject({
    because: 'not_taken',
    message: expect.stringContaining('paused already'),
  });
});
