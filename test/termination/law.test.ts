import fc from 'fast-check';
import { expect, test } from 'vitest';
import { catalogue } from '../../machines/index.ts';
import type { Limits, RunSettings } from '../../machines/settings.ts';
import { standstill } from '../../src/termination/law.ts';
import { rankOf } from '../../src/termination/rank.ts';
import { type Choice } from '../../src/testing/choices.ts';
import { wander } from '../../src/testing/wander.ts';
import { started } from '../support/facts.ts';
import { worlds } from '../support/worlds.ts';

const loops: readonly RunSettings['loop'][] = ['turn', 'iteration'];

/** Any of them may be missing, and all. */
const limits: fc.Arbitrary<Limits> = fc.record({
  maxSteps: fc.option(fc.nat(200), { nil: null }),
  maxToolCalls: fc.option(fc.nat(1000), { nil: null }),
  maxTokens: fc.option(fc.nat(1_000_000), { nil: null }),
  maxIterations: fc.option(fc.nat(100), { nil: null }),
  maxTimeMs: fc.option(fc.nat(100_000_000), { nil: null }),
});

const choice: fc.Arbitrary<Choice> = fc.record({
  does: fc.oneof(
    { weight: 20, arbitrary: fc.constant('answer' as const) },
    { weight: 3, arbitrary: fc.constant('remark' as const) },
    { weight: 1, arbitrary: fc.constant('clock' as const) },
  ),
  which: fc.nat(10_000),
  afterMs: fc.nat(60_000),
  times: fc.oneof({ weight: 20, arbitrary: fc.constant(1) }, { weight: 1, arbitrary: fc.integer({ min: 1, max: 200 }) }),
});

test.each(loops)('whatever happens to a %s, under whatever limits, every event brings it nearer to its end', (loop) => {
  const entry = catalogue.find(({ id }) => id === `${loop}@1`);
  if (!entry) throw new Error(`no ${loop}`);
  const seen = { events: 0, bounded: 0, ended: 0 };
  fc.assert(
    fc.property(limits, fc.boolean(), fc.array(choice, { minLength: 20, maxLength: 120, size: 'max' }), (given, checks, choices) => {
      const { first, happenings, last } = wander(entry, worlds[loop], started(loop, { limits: given, checks }), choices);
      const bound = rankOf(first);
      seen.events += happenings.length;
      if (bound < Infinity) seen.bounded += 1;
      if (last.snapshot.status === 'done') seen.ended += 1;
      for (const happening of happenings) {
        expect(standstill(happening)).toBeNull();
        const rank = rankOf(happening.after);
        expect(rank === Infinity || (Number.isSafeInteger(rank) && rank >= 0)).toBe(true);
        expect(rank === 0).toBe(happening.after.snapshot.status === 'done');
      }
    }),
    { numRuns: 200 },
  );
  expect(seen.events).toBeGreaterThan(5_000);
  expect(seen.bounded).toBeGreaterThan(100);
  expect(seen.ended).toBeGreaterThan(20);
});
