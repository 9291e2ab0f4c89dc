import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { loop } from '../../../docs/examples/own-loop/reviewed.loop.ts';
import { fact } from '../../../machines/vocabulary.ts';
import { knownLoops } from '../../../src/hosts/local/known-loops.ts';
import type { LoopDefinition } from '../../../src/runtime/loop-definition.ts';
import { ask, factsOf, office, untilWaiting } from './office.ts';

describe('a loop that cannot be performed is refused before there is a run', () => {
  const { handlers: _, ...bare } = loop;
  test.each<[string, readonly unknown[], string]>([
    ['it was not made by defineLoop', [{ id: 'mine@1' }], 'loops[0]: this is no loop. Hand in what defineLoop returns.'],
    ['it is nothing at all', [undefined], 'loops[0]: this is no loop.'],
    ['it has a name that is taken', [{ ...loop, id: 'turn@7' }], 'loops[0]: turn is a loop that ships.'],
    ['it is there twice', [loop, loop], 'loops[1]: reviewed@1 is there twice.'],
    ['an effect of its own has no handler', [bare], 'loops[0]: reviewed@1 starts askReviewer, and nothing performs it. Add askReviewer to its handlers.'],
  ])('%s', (_what, loops, message) => expect(() => knownLoops(loops as readonly LoopDefinition[])).toThrow(message));

  test('an effect that its definition decides needs no handler', () => {
    const decided = { ...bare, effects: { ...loop.effects, askReviewer: { class: 'repeatable', interrupted: null, decide: () => null } } } as LoopDefinition;
    expect(knownLoops([decided]).at(-1)).toBe(decided);
  });
});

test('a command is recorded only as the loop of its run knows it, whatever other loops call by that name', async () => {
  const answered = fact('person.answered', { callId: z.string(), answer: z.number() });
  const other: LoopDefinition = { ...loop, events: z.union([loop.events, answered]), commands: { 'person.answered': () => 'not now' } };
  const { start, log } = office({ answers: [{ calls: [ask('How many?')] }, { text: 'Done.' }] }, { loops: [other] });
  const live = await start();
  await untilWaiting(live);
  const odd = await log.post(live.run, { type: 'person.answered', payload: { callId: '0.0', answer: 5 } });
  const good = await log.post(live.run, { type: 'person.answered', payload: { callId: '0.0', answer: 'five' } });
  await live.done;
  expect((await log.entry(odd.id))?.status.kind).toBe('rejected');
  expect((await log.entry(good.id))?.status.kind).toBe('delivered');
  expect(await factsOf(log, live.run, 'person.answered')).toEqual([{ run: live.run, payload: { callId: '0.0', answer: 'five' } }]);
});
