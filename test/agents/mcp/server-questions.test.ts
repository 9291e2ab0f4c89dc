import { expect, test } from 'vitest';
import type { GivenForm } from '../../../machines/server-question.ts';
import { filledForm } from '../../../src/prompt/answer-form.ts';
import { factsOf, leftWaiting, office, outputsIn, resumed } from '../../hosts/local/office.ts';
import { asking, called, fake, questionIn, saidBy, started } from './started.ts';

const CLOSE = { tool: 'fake__close', arguments: {} };
const FIXED = 'closed: accept {"how":"fixed"}';

test('X10 the question of a server ends the call with it, and with the answer the same call goes on', async () => {
  const servers = await started([fake()]);
  const asked = questionIn(await called(servers, 'fake__close', {}, undefined, asking()));
  expect(asked).toMatchObject({ server: 'fake', message: 'Close it as what?', form: { required: ['how'] } });
  const answers = [filledForm(asked, 'fixed') as GivenForm];
  expect(saidBy(await called(servers, 'fake__close', {}, undefined, asking(answers)))).toContain(FIXED);
});

test('X10 where the server waits no more, the call is made again and the answer is given at once', async () => {
  const first = await started([fake()]);
  const asked = questionIn(await called(first, 'fake__close', {}, undefined, asking()));
  await first.close();
  const answers = [filledForm(asked, 'duplicate') as GivenForm];
  const said = saidBy(await called(await started([fake()]), 'fake__close', {}, undefined, asking(answers)));
  expect(said).toContain('closed: accept {"how":"duplicate"}');
});

test('X10 a question that a person declines is declined to the server', async () => {
  const servers = await started([fake()]);
  const asked = questionIn(await called(servers, 'fake__close', {}, undefined, asking()));
  const answers = [filledForm(asked, 'Decline') as GivenForm];
  expect(saidBy(await called(servers, 'fake__close', {}, undefined, asking(answers)))).toContain('closed: decline');
});

test('X10 without a person a question is declined, and the model is told what was asked', async () => {
  const servers = await started([fake()]);
  const said = saidBy(await called(servers, 'fake__close'));
  expect(said).toContain('closed: decline');
  expect(said).toContain('the server asked a person "Close it as what?": none is there, so it was declined');
});

test('X10 a question while several calls of its server run is dismissed, and says so', async () => {
  const servers = await started([fake()]);
  const stop = new AbortController();
  const waiting = called(servers, 'fake__wait', {}, stop.signal, asking());
  const said = saidBy(await called(servers, 'fake__close', {}, undefined, asking()));
  expect(said).toContain('closed: cancel');
  expect(said).toContain('make the call alone');
  stop.abort('abort');
  await waiting;
});

test('X10 the question of a server waits in the inbox, and its answer reaches the call', async () => {
  const { tools } = await started([fake()]);
  const { start, loops, log, requests } = office({ answers: [{ calls: [CLOSE] }, { text: 'done' }] }, { tools });
  const live = await start();
  await expect.poll(() => loops().questions(live.run)).toMatchObject([{ kind: 'question', callId: '0.0' }]);
  const [question] = (await loops().questions(live.run)) ?? [];
  expect(question?.text).toContain('The MCP server fake asks: Close it as what?');
  expect(question?.choices).toEqual(['fixed', 'duplicate', 'decline']);
  expect(await loops().answer(live.run, { text: 'lost' })).toMatchObject({ because: 'unfit_answer' });
  expect(await loops().answer(live.run, { text: 'fixed' })).toMatchObject({ kind: 'received' });
  expect(await live.done).toMatchObject({ kind: 'ended', outcome: { ending: 'success' } });
  expect(requests.map((request) => outputsIn(request).at(-1))).toEqual([undefined, expect.stringContaining(FIXED)]);
  expect(await factsOf(log, live.run, 'server.answered')).toMatchObject([
    { payload: { form: { action: 'accept', content: { how: 'fixed' } } } },
  ]);
});

test('X10 a server is answered days later, by another process', async () => {
  const first = await started([fake()]);
  const answers = [{ calls: [CLOSE] }, { text: 'done' }];
  const harness = office({ answers }, { tools: first.tools });
  const run = await leftWaiting(harness);
  await first.close();
  const { tools } = await started([fake()]);
  const later = office({ answers }, { tools, log: harness.log });
  expect(await later.loops().answer(run, { text: 'fixed' })).toMatchObject({ kind: 'received' });
  const live = await resumed(later.loops(), run);
  expect(await live.done).toMatchObject({ kind: 'ended', outcome: { ending: 'success' } });
  expect(later.requests.map((request) => outputsIn(request).at(-1))).toEqual([expect.stringContaining(FIXED)]);
});

test('X10 a run without a person answers no server', async () => {
  const { tools } = await started([fake()]);
  const { start, requests } = office({ answers: [{ calls: [CLOSE] }, { text: 'done' }] }, { tools });
  const live = await start({ wait: false });
  expect(await live.done).toMatchObject({ kind: 'ended', outcome: { ending: 'success' } });
  expect(requests.map((request) => outputsIn(request).at(-1))).toEqual([
    undefined,
    expect.stringContaining('none is there, so it was declined'),
  ]);
});
