import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { loop } from '../../../docs/examples/own-loop/reviewed.loop.ts';
import { fact } from '../../../machines/vocabulary.ts';
import { Loops, memoryLog, OptionsError } from '../../../src/index.ts';
import { knownLoops } from '../../../src/app/start/loop-names.ts';
import type { LoopDefinition } from '../../../src/kernel/loop-definition.ts';
import { ask, factsOf, office, untilWaiting } from './office.ts';

describe('a loop that cannot be performed is refused before there is a run', () => {
  const { handlers: _, ...bare } = loop;
  test.each<[string, readonly unknown[], string]>([
    [
      'it was not made by defineLoop',
      [{ id: 'mine@1' }],
      "loops[0]: expected what defineLoop returns, found { id: 'mine@1' }",
    ],
    ['it is nothing at all', [undefined], 'loops[0]: expected what defineLoop returns, found nothing'],
    [
      'it has a name that is taken',
      [{ ...loop, id: 'turn@7' }],
      "loops[0].id: expected an id of its own, given to the machine: turn is a loop that ships, found 'turn@7'",
    ],
    [
      'it is there twice',
      [loop, loop],
      "loops[1].id: expected each version of a loop once: a version before it has this id, found 'reviewed@1'",
    ],
    [
      'an effect of its own has no handler',
      [bare],
      'loops[0].handlers.askReviewer: expected a function that performs askReviewer, which reviewed@1 starts, found nothing',
    ],
    ['a handler is no function', [{ ...loop, handlers: { askReviewer: 'me' } }], "which reviewed@1 starts, found 'me'"],
    [
      'several of them are wrong',
      [bare, 'mine'],
      "found nothing\nloops[1]: expected what defineLoop returns, found 'mine'",
    ],
  ])('%s', (_what, loops, message) => {
    const hosted = () => new Loops({ log: memoryLog(), loops: loops as readonly LoopDefinition[] });
    expect(hosted).toThrow(OptionsError);
    expect(hosted).toThrow(message);
  });

  test('an effect that its definition decides needs no handler', () => {
    const decided = {
      ...bare,
      effects: { ...loop.effects, askReviewer: { class: 'repeatable', interrupted: null, decide: () => null } },
    } as LoopDefinition;
    expect(knownLoops([decided]).at(-1)).toBe(decided);
  });
});

test('a command is recorded only as the loop of its run knows it, whatever other loops call by that name', async () => {
  const answered = fact('person.answered', { callId: z.string(), answer: z.number() });
  const other: LoopDefinition = {
    ...loop,
    events: z.union([loop.events, answered]),
    commands: { 'person.answered': () => 'not now' },
  };
  const { start, log } = office({ answers: [{ calls: [ask('How many?')] }, { text: 'Done.' }] }, { loops: [other] });
  const live = await start();
  await untilWaiting(live);
  const odd = await log.post(live.run, { type: 'person.answered', payload: { callId: '0.0', answer: 5 } });
  const good = await log.post(live.run, { type: 'person.answered', payload: { callId: '0.0', answer: 'five' } });
  await live.done;
  expect((await log.entry(odd.id))?.status.kind).toBe('rejected');
  expect((await log.entry(good.id))?.status.kind).toBe('delivered');
  expect(await factsOf(log, live.run, 'person.answered')).toEqual([
    { run: live.run, payload: { callId: '0.0', answer: 'five' } },
  ]);
});
