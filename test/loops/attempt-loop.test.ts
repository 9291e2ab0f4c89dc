import { expect, test } from 'vitest';
import { z } from 'zod';
import { attemptFacts, fact, groundsFacts, lifeFacts } from '../../machines/events.ts';
import { attempt } from '../../src/loops/shared/effects/run-child.ts';
import { defineLoop } from '../../src/loops/define-loop.ts';
import { interruption } from '../../src/kernel/run-message.ts';
import { iterationCalled } from '../support/iteration-called.ts';

/** The loop of attempts, whose attempt has another key. */
function drafting() {
  const others = [...lifeFacts, ...groundsFacts].filter(({ shape: { type } }) => type.value !== 'effect.interrupted');
  const actor = z.enum(['capture', 'checks', 'draft', 'groundsRuling']);
  const interrupted = fact('effect.interrupted', { actor, reason: z.string() });
  return defineLoop({
    machine: iterationCalled('drafting', { attempt: 'draft' }),
    events: z.union([interrupted, ...others, ...attemptFacts]),
    effects: { runAgent: { ...attempt, answers: { 'child.settled': 'draft' } } },
  });
}

test('an attempt that is lost is interrupted under the key that its chart gave it', () => {
  const one = { effect: '3/0', key: 'draft', actor: 'runAgent', input: {}, attempt: 1, told: false };
  expect(interruption(one, 'lost', null, drafting())).toEqual({
    type: 'effect.interrupted',
    payload: { actor: 'draft', reason: 'lost' },
  });
});
