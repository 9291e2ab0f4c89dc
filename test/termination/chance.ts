import type { Choice } from '../../src/testing/choices.ts';
import { fc } from '../support/fast-check.ts';

const choice: fc.Arbitrary<Choice> = fc.record({
  does: fc.oneof(
    { weight: 20, arbitrary: fc.constant('answer' as const) },
    { weight: 3, arbitrary: fc.constant('remark' as const) },
    { weight: 1, arbitrary: fc.constant('clock' as const) },
  ),
  which: fc.nat(10_000),
  afterMs: fc.nat(60_000),
  times: fc.oneof(
    { weight: 20, arbitrary: fc.constant(1) },
    { weight: 1, arbitrary: fc.integer({ min: 1, max: 200 }) },
  ),
});

/** The events of a run in a valid log: every result answers an outstanding effect. */
export const choices: fc.Arbitrary<Choice[]> = fc.array(choice, { minLength: 20, maxLength: 120, size: 'max' });
