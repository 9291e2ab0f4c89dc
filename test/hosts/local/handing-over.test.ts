import { filter, firstValueFrom } from 'rxjs';
import { describe, expect, test } from 'vitest';
import type { ModelRequest } from '../../../src/actors/model/model.ts';
import { byTask, comeBack, handing, USAGE } from '../../support/handing-over.ts';
import { fakeClock } from '../../support/fake-clock.ts';
import { ended } from '../../support/playhouse.ts';
import { factsOf, ask, leftWaiting, office, resumed, untilWaiting, wordsIn } from './office.ts';

const tools = ['delegate', 'ask_user', 'finish'];
const asking = (question: string) => (request: ModelRequest) =>
  request.step === 0
    ? { calls: [ask(question)], usage: USAGE }
    : { text: `${question} ${comeBack(request).map(({ output }) => output).join()}`, usage: USAGE };
const script = byTask({
  'Do it.': (request) => (request.step === 0 ? { calls: [handing('one'), handing('two'), handing('three')], usage: USAGE } : { text: comeBack(request).map(({ output }) => output).join('; '), usage: USAGE }),
  one: asking('Tabs?'),
  two: asking('Colour?'),
});

describe('T9 questions of work that was handed over', () => {
  test('T9 two children ask under one id: each is answered by its run and its call, and the answers reach them', async () => {
    const house = office(script);
    const live = await house.start({ tools });
    await untilWaiting(live);
    const loops = house.loops();
    const open = (await loops.questions(live.run)) ?? [];
    expect(open.map(({ callId, text }) => [callId, text]).toSorted()).toEqual([['0.0', 'Colour?'], ['0.0', 'Tabs?']]);
    expect(await loops.answer(live.run, { text: 'no', call: '0.0' })).toMatchObject({ kind: 'refused', because: 'several_asked' });
    for (const [text, answer] of [['Tabs?', 'yes'], ['Colour?', 'red']] as const) {
      const question = open.find((one) => one.text === text);
      const call = `${question?.run.slice(-12)}/0.0`;
      expect(await loops.answer(live.run, { text: answer, call })).toMatchObject({ kind: 'heard', run: question?.run });
    }
    const end = await ended(live);
    expect(end.answer).toBe('Tabs? yes; Colour? red; three: done');
  });

  test('T9 whoever is left waiting so goes on when it is resumed, with an answer given meanwhile', async () => {
    const house = office(script);
    const run = await leftWaiting(house, { tools });
    const loops = house.loops();
    for (const { run: child, text } of (await loops.questions(run)) ?? []) {
      expect(await loops.answer(child, { text: text === 'Tabs?' ? 'yes' : 'red' })).toMatchObject({ kind: 'heard', run: child });
    }
    const end = await ended(await resumed(loops, run));
    expect(end.answer).toBe('Tabs? yes; Colour? red; three: done');
    expect(await house.log.runs()).toHaveLength(4);
  });

  test('L17 the clock of the giver stands still while only people are waited for, and runs as soon as a child works', async () => {
    const clock = fakeClock();
    const house = office(script, { clock });
    const live = await house.start({ tools, maxTime: 60_000 });
    await untilWaiting(live);
    clock.advance(3_600_000);
    const loops = house.loops();
    for (const { run: child } of (await loops.questions(live.run)) ?? []) {
      const settled = firstValueFrom(live.events.pipe(filter(({ payload }) => Reflect.get(Object(payload), 'child') === child), filter(({ type }) => type === 'child.settled')));
      await loops.answer(child, { text: 'yes' });
      await settled;
    }
    const end = await ended(live);
    expect(end.outcome.ending).toBe('success');
    for (const type of ['child.asked', 'child.answered'] as const) {
      const told = await factsOf(house.log, live.run, type);
      expect(told.map(({ run, payload }) => [run, payload.callId]).toSorted()).toEqual([[live.run, '0.0'], [live.run, '0.1']]);
    }
  });

  test('L17 and so do the clocks of all above, where the one who asks was handed the work through several', async () => {
    const clock = fakeClock();
    const handsOn = (task: string) => (request: ModelRequest) => (request.step === 0 ? { calls: [handing(task)] } : { text: 'done' });
    const house = office(byTask({ 'Do it.': handsOn('on'), on: handsOn('one'), one: asking('Tabs?') }), { clock });
    const live = await house.start({ tools, maxTime: 60_000 });
    const asked = new Promise((resolve) => {
      live.events.subscribe(({ type }) => type === 'child.asked' && resolve(type));
    });
    await Promise.all([untilWaiting(live), asked]);
    clock.advance(3_600_000);
    await house.loops().answer(live.run, { text: 'yes' });
    expect((await ended(live)).outcome.ending).toBe('success');
  });

  test('T9 a giver that asks itself, beside a child that asks, is the one who is meant by its own name', async () => {
    const house = office(byTask({
      'Do it.': (request) => (request.step === 0 ? { calls: [ask('Mine?'), handing('one')] } : { text: comeBack(request).map(({ output }) => output).join('; ') }),
      one: asking('Tabs?'),
    }));
    const live = await house.start({ tools });
    await untilWaiting(live);
    const loops = house.loops();
    await loops.answer(live.run, { text: 'me', call: `${live.run}/0.0` });
    expect((await loops.questions(live.run))?.map(({ text }) => text)).toEqual(['Tabs?']);
    await loops.answer(live.run, { text: 'you' });
    expect((await ended(live)).answer).toBe('me; Tabs? you');
  });
});

test('what a person says meanwhile is heard by who works, and by who handed the work over', async () => {
  const house = office(script);
  const live = await house.start({ tools });
  await untilWaiting(live);
  const loops = house.loops();
  await loops.steer(live.run, 'Use spaces.');
  for (const { run: child } of (await loops.questions(live.run)) ?? []) await loops.answer(child, { text: 'yes' });
  await ended(live);
  const heardBy = house.requests.filter((request) => wordsIn(request).includes('Use spaces.')).map((request) => wordsIn(request)[0]);
  expect(heardBy).toHaveLength(2);
  expect(heardBy.at(-1)).toBe('Do it.');
});
