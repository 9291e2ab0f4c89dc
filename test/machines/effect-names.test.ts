import { expect, test } from 'vitest';
import { LoopEvent } from '../../machines/events.ts';
import { specOf } from '../../src/kernel/loop-definition.ts';
import { turnLoop } from '../../src/loops/turn/definition.ts';

const interruption = (actor: string) => ({ type: 'effect.interrupted', payload: { actor, reason: '' } });
const admission = (actor: string) => ({
  type: 'calls.admitted',
  payload: { run: [{ callId: '0.0', actor }], refused: [] },
});

test.each([
  ...['checks', 'askReviewer', 'agent.left', 'call.0.1', 'weigh_it-2'].map((name) => [name, true] as const),
  ...['', '0', 'a b', 'a..b', 'a.', '../a', 'a\n', 'a'.repeat(101)].map((name) => [name, false] as const),
])('an effect may be named %j: %s', (name, isName) => {
  expect(LoopEvent.safeParse(interruption(name)).success).toBe(isName);
  expect(LoopEvent.safeParse(admission(name)).success).toBe(isName);
});

test('the definition of a loop refuses an effect that it does not have', () => {
  expect(() => specOf({ actor: 'askReviewer' }, turnLoop)).toThrow('its definition does not say what that is');
});
