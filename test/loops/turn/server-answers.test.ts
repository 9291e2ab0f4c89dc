import { expect, test } from 'vitest';
import type { LoopEvent } from '../../../machines/events.ts';
import { ServerAnswers } from '../../../src/loops/turn/memory.ts';
import { modelAskedFor, serverAnswered, toolCompleted, toolInterrupted } from '../../support/facts.ts';

/** What the server of the first call is answered after these events. */
function after(...events: LoopEvent[]) {
  const answers = new ServerAnswers();
  for (const event of [modelAskedFor('0.0', '0.1'), ...events]) answers.observe(event);
  const [call] = (modelAskedFor('0.0') as Extract<LoopEvent, { type: 'model.completed' }>).payload.calls;
  return call ? answers.answersTo(call).map(({ digest }) => digest) : [];
}

test('X10 a call that was lost keeps the answer for the same call, made again', () => {
  expect(after()).toEqual([]);
  expect(after(serverAnswered('0.0'), serverAnswered('0.0'))).toEqual(['d1']);
  expect(after(serverAnswered('0.0'), toolInterrupted('0.0'), modelAskedFor('1.0'))).toEqual(['d1']);
});

test('X10 a call that has a result uses its answer up: the next one is asked again', () =>
  expect(after(serverAnswered('0.0'), toolCompleted('0.0'))).toEqual([]));
