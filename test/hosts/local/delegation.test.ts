import { filter, firstValueFrom } from 'rxjs';
import { describe, expect, test } from 'vitest';
import type { ModelRequest } from '../../../src/actors/model/model.ts';
import { byTask, comeBack, delegateCall, USAGE } from '../../support/delegation.ts';
import { fakeClock } from '../../support/fake-clock.ts';
import { testInTurn } from '../../support/in-turn.ts';
import { ended } from '../../support/run-history.ts';
import { factsOf, ask, leftWaiting, office, resumed, untilWaiting, wordsIn } from './office.ts';

const tools = ['delegate', 'ask_user', 'finish'];
const asking = (question: string) => (request: ModelRequest) =>
  request.step === 0
    ? { calls: [ask(question)], usage: USAGE }
    : {
        text: `${question} ${comeBack(request)
          .map(({ output }) => output)
          .join()}`,
        usage: USAGE,
      };
const script = byTask({
  'Do it.': (request) =>
    request.step === 0
      ? { calls: [delegateCall('one'), delegateCall('two'), delegateCall('three')], usage: USAGE }
      : {
          text: comeBack(request)
            .map(({ output }) => output)
            .join('; '),
          usage: USAGE,
        },
  one: asking('Tabs?'),
  two: asking('Colour?'),
});

describe('T9 questions of delegated work', () => {
  testInTurn(
    'T9 two children ask under one id: each is answered by run and call, and the answers reach them',
    async () => {
      const harness = office(script);
      const live = await harness.start({ tools });
      await untilWaiting(live);
      const loops = harness.loops();
      const open = (await loops.questions(live.run)) ?? [];
      expect(open.map(({ callId, text }) => [callId, text]).toSorted()).toEqual([
        ['0.0', 'Colour?'],
        ['0.0', 'Tabs?'],
      ]);
      expect(await loops.answer(live.run, { text: 'no', call: '0.0' })).toMatchObject({
        kind: 'refused',
        because: 'several_asked',
      });
      for (const [text, answer] of [
        ['Tabs?', 'yes'],
        ['Colour?', 'red'],
      ] as const) {
        const question = open.find((one) => one.text === text);
        const call = `${question?.run.slice(-12)}/0.0`;
        expect(await loops.answer(live.run, { text: answer, call })).toMatchObject({
          kind: 'received',
          run: question?.run,
        });
      }
      const end = await ended(live);
      expect(end.answer).toBe('Tabs? yes; Colour? red; three: done');
    },
  );

  testInTurn('T9 a run left waiting continues when resumed, with an answer given meanwhile', async () => {
    const harness = office(script);
    const run = await leftWaiting(harness, { tools });
    const loops = harness.loops();
    for (const { run: child, text } of (await loops.questions(run)) ?? []) {
      expect(await loops.answer(child, { text: text === 'Tabs?' ? 'yes' : 'red' })).toMatchObject({
        kind: 'received',
        run: child,
      });
    }
    const end = await ended(await resumed(loops, run));
    expect(end.answer).toBe('Tabs? yes; Colour? red; three: done');
    expect(await harness.log.runs()).toHaveLength(4);
  });

  testInTurn(
    'L17 the delegator’s clock stops while the tree waits for people, and runs while a child works',
    async () => {
      const clock = fakeClock();
      const harness = office(script, { clock });
      const live = await harness.start({ tools, maxTime: 60_000 });
      await untilWaiting(live);
      clock.advance(3_600_000);
      const loops = harness.loops();
      for (const { run: child } of (await loops.questions(live.run)) ?? []) {
        const settled = firstValueFrom(
          live.events.pipe(
            filter(({ payload }) => Reflect.get(Object(payload), 'child') === child),
            filter(({ type }) => type === 'child.settled'),
          ),
        );
        await loops.answer(child, { text: 'yes' });
        await settled;
      }
      const end = await ended(live);
      expect(end.outcome.ending).toBe('success');
      for (const type of ['child.asked', 'child.answered'] as const) {
        const told = await factsOf(harness.log, live.run, type);
        expect(told.map(({ run, payload }) => [run, payload.callId]).toSorted()).toEqual([
          [live.run, '0.0'],
          [live.run, '0.1'],
        ]);
      }
    },
  );

  test('L17 and so do the clocks of all ancestors, when the asking run was delegated to through several', async () => {
    const clock = fakeClock();
    const handsOn = (task: string) => (request: ModelRequest) =>
      request.step === 0 ? { calls: [delegateCall(task)] } : { text: 'done' };
    const harness = office(byTask({ 'Do it.': handsOn('on'), on: handsOn('one'), one: asking('Tabs?') }), { clock });
    const live = await harness.start({ tools, maxTime: 60_000 });
    const asked = new Promise((resolve) => {
      live.events.subscribe(({ type }) => type === 'child.asked' && resolve(type));
    });
    await Promise.all([untilWaiting(live), asked]);
    clock.advance(3_600_000);
    await harness.loops().answer(live.run, { text: 'yes' });
    expect((await ended(live)).outcome.ending).toBe('success');
  });

  testInTurn('T9 a delegator that asks beside a child that asks is answered under its own name', async () => {
    const harness = office(
      byTask({
        'Do it.': (request) =>
          request.step === 0
            ? { calls: [ask('Mine?'), delegateCall('one')] }
            : {
                text: comeBack(request)
                  .map(({ output }) => output)
                  .join('; '),
              },
        one: asking('Tabs?'),
      }),
    );
    const live = await harness.start({ tools });
    await untilWaiting(live);
    const loops = harness.loops();
    await loops.answer(live.run, { text: 'me', call: `${live.run}/0.0` });
    expect((await loops.questions(live.run))?.map(({ text }) => text)).toEqual(['Tabs?']);
    await loops.answer(live.run, { text: 'you' });
    expect((await ended(live)).answer).toBe('me; Tabs? you');
  });
});

test('steering reaches the delegated run and its delegator', async () => {
  const harness = office(script);
  const live = await harness.start({ tools });
  await untilWaiting(live);
  const loops = harness.loops();
  await loops.steer(live.run, 'Use spaces.');
  for (const { run: child } of (await loops.questions(live.run)) ?? []) await loops.answer(child, { text: 'yes' });
  await ended(live);
  const heardBy = harness.requests
    .filter((request) => wordsIn(request).includes('Use spaces.'))
    .map((request) => wordsIn(request)[0]);
  expect(heardBy).toHaveLength(2);
  expect(heardBy.at(-1)).toBe('Do it.');
});
