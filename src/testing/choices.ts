import fc from 'fast-check';
import type { ProofEnvironment } from './proof-environment.ts';

/**
 * One random step: a kind of move, and which move of that kind. It names no event, because the possible events depend
 * on the state of the run.
 */
export interface Choice {
  /** `clock`: an outstanding timer fires. */
  readonly does: 'answer' | 'clock' | 'remark' | 'noise';
  /** Modulo the number of possible moves. */
  readonly which: number;
  /** Since the previous event. */
  readonly afterMs: number;
  /** How often it is repeated in a row, until it is refused. Repetition is what reaches limits. */
  readonly times: number;
}

/** A random run as data: its opening, and the choices that follow. */
export interface RandomRun {
  readonly opening: string;
  readonly choices: readonly Choice[];
  /** Whether the invariants that fold the run again check it too. */
  readonly thorough: boolean;
}

const MAX_WHICH = 10_000;
const MAX_TIMES = 200;
const MAX_AFTER_MS = 30_000;
const CHOICES = { minLength: 1, maxLength: 200, size: 'max' } as const;

const TOWARDS_FIRST = { withCrossShrink: true };

/** Mostly answers, so that runs progress. The simplest kind comes first, because a failing run shrinks towards it. */
const does = fc.oneof(
  TOWARDS_FIRST,
  { weight: 82, arbitrary: fc.constant('answer' as const) },
  { weight: 9, arbitrary: fc.constant('remark' as const) },
  { weight: 5, arbitrary: fc.constant('noise' as const) },
  { weight: 4, arbitrary: fc.constant('clock' as const) },
);

const times = fc.oneof(
  TOWARDS_FIRST,
  { weight: 40, arbitrary: fc.constant(1) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: MAX_TIMES }) },
);

const choice: fc.Arbitrary<Choice> = fc
  .tuple(does, fc.nat({ max: MAX_WHICH }), fc.nat({ max: MAX_AFTER_MS }), times)
  .map(([does, which, afterMs, times]) => ({ does, which, afterMs, times }));

/**
 * Random runs in an environment; one in `thoroughOneIn` is checked thoroughly.
 *
 * They are lists of choices, not fast-check commands. A choice is data, so a run can be repeated from its seed alone,
 * in another process, against another machine; and its meaning depends on the state that the run has reached.
 */
export const randomRuns = ({ openings }: ProofEnvironment, { thoroughOneIn = 12 } = {}): fc.Arbitrary<RandomRun> =>
  fc.record({
    opening: fc.constantFrom(...Object.keys(openings)),
    choices: fc.array(choice, CHOICES),
    thorough: fc.nat({ max: thoroughOneIn - 1 }).map((number) => number === 0),
  });
