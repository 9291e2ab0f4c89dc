import type { Loop } from '../support/facts.ts';
import { expect } from 'vitest';
import type { Limits } from '../../machines/settings.ts';
import { randomWalk } from '../../src/testing/random-walk.ts';
import { started } from '../support/facts.ts';
import { fc } from '../support/fast-check.ts';
import { entryOf, environments } from '../support/environments.ts';
import { testInTurn } from '../support/in-turn.ts';
import { tenthOfMany } from '../support/tenth.ts';
import { choices } from './chance.ts';
import { rankIn, stoodStill } from './ranked.ts';

const loops: readonly Loop[] = ['turn', 'iteration', 'ralph'];

/** Any of them may be missing, and all. */
const limits: fc.Arbitrary<Limits> = fc.record({
  maxSteps: fc.option(fc.nat(200), { nil: null }),
  maxToolCalls: fc.option(fc.nat(1000), { nil: null }),
  maxTokens: fc.option(fc.nat(1_000_000), { nil: null }),
  maxIterations: fc.option(fc.nat(100), { nil: null }),
  maxTimeMs: fc.option(fc.nat(100_000_000), { nil: null }),
});

const RUNS = tenthOfMany(600);

testInTurn.each(loops)(
  'whatever happens to a %s, under whatever limits, every event brings it nearer to its end',
  (loop) => {
    const seen = { events: 0, bounded: 0, ended: 0 };
    fc.assert(
      fc.property(limits, fc.boolean(), choices, (given, checks, chosen) => {
        const { first, happenings, last } = randomWalk(
          entryOf(loop),
          environments[loop],
          started(loop, { limits: given, checks }),
          chosen,
        );
        const bound = rankIn(first);
        seen.events += happenings.length;
        if (bound < Infinity) seen.bounded += 1;
        if (last.snapshot.status === 'done') seen.ended += 1;
        for (const happening of happenings) {
          expect(stoodStill(happening)).toBeNull();
          const rank = rankIn(happening.after);
          expect(rank === Infinity || (Number.isSafeInteger(rank) && rank >= 0)).toBe(true);
          expect(rank === 0).toBe(happening.after.snapshot.status === 'done');
        }
      }),
      { numRuns: RUNS },
    );
    expect(seen.events).toBeGreaterThan(20 * RUNS);
    expect(seen.bounded).toBeGreaterThan(RUNS / 3);
    expect(seen.ended).toBeGreaterThan(RUNS / 20);
  },
);
