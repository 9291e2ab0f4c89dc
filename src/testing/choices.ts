import fc from 'fast-check';
import type { World } from './world.ts';

/** What chance does next, and which of the possible ways. It names no event: that depends on where the run stands. */
export interface Choice {
  /** `clock`: a timer that is outstanding fires. */
  readonly does: 'answer' | 'clock' | 'remark' | 'noise';
  /** Modulo the number of what there is to choose from. */
  readonly which: number;
  /** Since the event before. */
  readonly afterMs: number;
  /** So often, one after another, as long as it is taken: limits are met by those who insist. */
  readonly times: number;
}

/** One run that chance makes: how it is opened, and what happens then. */
export interface Chance {
  readonly opening: string;
  readonly choices: readonly Choice[];
  /** Whether proofs that fold the run once more look at it too. */
  readonly thorough: boolean;
}

const MAX_WHICH = 10_000;
const MAX_TIMES = 200;
const MAX_AFTER_MS = 30_000;
const CHOICES = { minLength: 1, maxLength: 200, size: 'max' } as const;

const TOWARDS_FIRST = { withCrossShrink: true };

/** Answers mostly, so that runs go somewhere. Simpler ones come first: there a failing run shrinks to. */
const does = fc.oneof(
  TOWARDS_FIRST,
  { weight: 82, arbitrary: fc.constant('answer' as const) },
  { weight: 9, arbitrary: fc.constant('remark' as const) },
  { weight: 5, arbitrary: fc.constant('noise' as const) },
  { weight: 4, arbitrary: fc.constant('clock' as const) },
);

const times = fc.oneof(TOWARDS_FIRST, { weight: 40, arbitrary: fc.constant(1) }, { weight: 1, arbitrary: fc.integer({ min: 1, max: MAX_TIMES }) });

const choice: fc.Arbitrary<Choice> = fc
  .tuple(does, fc.nat({ max: MAX_WHICH }), fc.nat({ max: MAX_AFTER_MS }), times)
  .map(([does, which, afterMs, times]) => ({ does, which, afterMs, times }));

/**
 * Runs that a world can make, one in `thoroughOneIn` of them to be looked at thoroughly.
 *
 * Lists of choices, and not fast-check's commands: a choice is data, so that a run can be told again from its seed alone,
 * in another process, against another machine; and what a choice means is only known when the run has come to it.
 */
export const chances = ({ openings }: World, { thoroughOneIn = 12 } = {}): fc.Arbitrary<Chance> =>
  fc.record({
    opening: fc.constantFrom(...Object.keys(openings)),
    choices: fc.array(choice, CHOICES),
    thorough: fc.nat({ max: thoroughOneIn - 1 }).map((number) => number === 0),
  });
