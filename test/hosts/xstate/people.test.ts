import { createActor, toPromise, waitFor } from 'xstate';
import { expect, test } from 'vitest';
import { scriptedModel } from '../../../src/actors/model/model-script.ts';
import { loopLogic, type LoopEmitted, type LoopInput } from '../../../src/hosts/xstate/index.ts';
import { memoryLog } from '../../../src/log/sqlite/engine.ts';
import { repository } from '../../git/repository.ts';
import { askingLoop } from '../../support/asking-loop.ts';
import { testInTurn } from '../../support/in-turn.ts';
import { task } from './deployment.ts';

const asks = { calls: [{ tool: 'ask_user', arguments: { question: 'Red or blue?' } }] };
const lastWords = (messages: readonly unknown[]) => JSON.stringify(messages.at(-1));

test('what a loop asks is in its snapshot, and an answer reaches the model', async () => {
  const model = scriptedModel(({ step, messages }) => (step === 0 ? asks : { text: `heard ${lastWords(messages)}` }));
  const actor = createActor(loopLogic({ log: memoryLog(), model }), {
    input: { ...task, tools: ['ask_user'] },
  }).start();
  const { context } = await waitFor(actor, ({ context }) => context.questions.length > 0);
  expect(context).toMatchObject({ state: 'tools', questions: [{ text: 'Red or blue?', run: context.run }] });
  actor.send({ type: 'answer', text: 'blue' });
  expect((await toPromise(actor)).answer).toContain('blue');
  expect(actor.getSnapshot().context.questions).toEqual([]);
});

test('what an attempt below it asks is there as well', async () => {
  const { root, commit } = await repository({ 'a.txt': 'a' });
  await commit();
  const model = scriptedModel(({ step, messages }) => (step === 0 ? asks : { text: `heard ${lastWords(messages)}` }));
  const input: LoopInput = {
    ...task,
    loop: 'iteration',
    directory: root,
    tools: ['ask_user'],
    checks: ['true'],
    checkIn: 'workspace',
  };
  const actor = createActor(loopLogic({ log: memoryLog(), model }), { input }).start();
  const { context } = await waitFor(actor, ({ context }) => context.questions.length > 0);
  expect(context.questions[0]?.run).not.toBe(context.run);
  actor.send({ type: 'answer', text: 'red' });
  const { outcome, answer } = await toPromise(actor);
  expect(outcome.ending).toBe('success');
  expect(answer).toContain('red');
});

testInTurn("what a loop of one's own asks is there, and goes once it is answered", async () => {
  const { root, commit } = await repository({ 'a.txt': 'a' });
  await commit();
  const model = scriptedModel({ attempts: [{ answers: [{ text: 'done' }] }, { answers: [{ text: 'done again' }] }] });
  const input: LoopInput = {
    ...task,
    loop: 'read',
    directory: root,
    tools: ['ask_user'],
    checks: ['true'],
    checkIn: 'workspace',
  };
  const actor = createActor(loopLogic({ log: memoryLog(), model, loops: [askingLoop] }), { input }).start();
  const { context } = await waitFor(actor, ({ context }) => context.questions.length > 0);
  expect(context.questions).toMatchObject([{ text: 'Is it good?', run: context.run }]);
  const first = context.questions[0]?.callId;
  actor.send({ type: 'answer', text: 'no' });
  // The next may be asked before its answer is seen: a snapshot without questions need not come between the two.
  await waitFor(actor, ({ context: { questions } }) => questions.some(({ callId }) => callId !== first));
  actor.send({ type: 'answer', text: 'yes' });
  expect((await toPromise(actor)).outcome.ending).toBe('success');
});

test('a refused command is reported with the reason, and the loop continues', async () => {
  const model = scriptedModel(({ step }) => (step === 0 ? asks : { text: 'done' }));
  const actor = createActor(loopLogic({ log: memoryLog(), model }), { input: { ...task, tools: ['ask_user'] } });
  const refused: LoopEmitted[] = [];
  actor.on('refused', (event) => refused.push(event));
  actor.start();
  await waitFor(actor, ({ context }) => context.questions.length > 0);
  actor.send({ type: 'answer', text: 'red', call: '7.7' });
  actor.send({ type: 'grant', granted: true });
  actor.send({ type: 'steer', text: ' ' });
  actor.send({ type: 'answer', text: 'red' });
  expect((await toPromise(actor)).answer).toBe('done');
  expect(refused).toEqual([
    { type: 'refused', command: 'answer', reason: expect.stringContaining('no call 7.7') },
    { type: 'refused', command: 'grant', reason: expect.stringContaining('asks a question') },
    { type: 'refused', command: 'steer', reason: expect.stringContaining('expected a text') },
  ]);
});

testInTurn('a loop is steered: its next answer knows', async () => {
  const model = scriptedModel(({ step, messages }) => (step === 0 ? asks : { text: JSON.stringify(messages) }));
  const actor = createActor(loopLogic({ log: memoryLog(), model }), {
    input: { ...task, tools: ['ask_user'] },
  }).start();
  await waitFor(actor, ({ context }) => context.questions.length > 0);
  actor.send({ type: 'steer', text: 'think of green' });
  actor.send({ type: 'answer', text: 'red' });
  expect((await toPromise(actor)).answer).toContain('think of green');
});
