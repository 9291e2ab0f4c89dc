import { createMachine } from 'xstate';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { attemptFacts, fact, lifeFacts } from '../../machines/events.ts';
import type { CatalogueEntry } from '../../machines/index.ts';
import { iteration } from '../../machines/iteration.machine.ts';
import { attempt } from '../../src/loops/attempts.ts';
import { defineLoop } from '../../src/loops/define-loop.ts';
import { interruption } from '../../src/runtime/interruption.ts';

/** The loop of attempts, whose attempt has another key. */
function drafting() {
  const { context, ...chart } = iteration.config;
  const text = JSON.stringify({ ...chart, id: 'drafting' }).replaceAll('#iteration.', '#drafting.').replaceAll('"agent"', '"draft"');
  const machine = createMachine({ ...JSON.parse(text), context } as never, iteration.implementations as never);
  const others = lifeFacts.filter(({ shape: { type } }) => type.value !== 'effect.interrupted');
  const interrupted = fact('effect.interrupted', { actor: z.enum(['capture', 'checks', 'draft']), reason: z.string() });
  return defineLoop({
    machine: machine as unknown as CatalogueEntry['machine'],
    events: z.union([interrupted, ...others, ...attemptFacts]),
    effects: { runAgent: { ...attempt, answers: { 'child.settled': 'draft' } } },
  });
}

test('an attempt that is lost is interrupted under the key that its chart gave it', () => {
  const one = { effect: '3/0', key: 'draft', actor: 'runAgent', input: {}, attempt: 1, told: false };
  expect(interruption(one, 'lost', null, drafting())).toEqual({ type: 'effect.interrupted', payload: { actor: 'draft', reason: 'lost' } });
});
