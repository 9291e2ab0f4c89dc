import { expect, test } from 'vitest';
import { type Held, MeterAccount } from '../../src/agents/meter/meter-account.ts';
import { fc } from '../support/fast-check.ts';

/** The number of interleavings, of up to so many steps each. */
const INTERLEAVINGS = 1_000;
const STEPS = 60;

const call = fc.record({
  kind: fc.constant('call' as const),
  bytes: fc.integer({ min: 0, max: 9_000 }),
  answerTokens: fc.option(fc.integer({ min: 1, max: 4_000 }), { nil: null }),
});
/** An open call ends: by number among those that are open, with a part of what was reserved for it. */
const end = fc.record({
  kind: fc.constant('end' as const),
  which: fc.nat(),
  how: fc.constantFrom('whole', 'cut', 'unanswered', 'aborted'),
  part: fc.double({ min: 0, max: 1, noNaN: true }),
});

test('X3 however calls, cuts and aborts interleave, no cap is passed, nothing stays held, and usage is the sum', () =>
  fc.assert(
    fc.property(
      fc.array(fc.oneof(call, end), { maxLength: STEPS }),
      fc.integer({ min: 2_000, max: 60_000 }),
      (steps, tokens) => {
        const account = new MeterAccount({ tokens, nanoUsd: null });
        const open: Held[] = [];
        let served = 0;
        const finish = (held: Held, how: string, part: number) => {
          if (how === 'aborted') return account.refuse(held, 'it was told to stop');
          if (how === 'unanswered') return account.settle(held, null);
          const used = Math.floor(held.tokens * part);
          served += used;
          const counted = { inputTokens: used, outputTokens: 0, cachedInputTokens: 0, cacheWriteTokens: 0 };
          account.settle(held, counted, how === 'cut');
          // An answer that ends twice is counted once.
          account.settle(held, counted, how === 'cut');
        };
        for (const step of steps) {
          if (step.kind === 'call') {
            const held = account.reserve({
              model: 'm',
              bytes: step.bytes,
              answerTokens: step.answerTokens,
              price: null,
            });
            if (typeof held !== 'string') open.push(held);
          } else {
            const [held] = open.length > 0 ? open.splice(step.which % open.length, 1) : [];
            if (held) finish(held, step.how, step.part);
          }
          const { inputTokens, outputTokens } = account.spent();
          const held = open.reduce((sum, one) => sum + one.tokens, 0);
          expect(inputTokens + outputTokens + held).toBeLessThanOrEqual(tokens);
        }
        for (const held of open) finish(held, 'whole', 1);
        const { inputTokens, outputTokens } = account.spent();
        expect(inputTokens + outputTokens).toBe(served);
        // What is left can be reserved to the last token, so nothing is held.
        const left = tokens - served;
        if (left < 1) return;
        const last = account.reserve({ model: 'm', bytes: 0, answerTokens: left, price: null });
        expect(typeof last === 'string' ? last : last.tokens).toBe(left);
      },
    ),
    { numRuns: INTERLEAVINGS },
  ));
