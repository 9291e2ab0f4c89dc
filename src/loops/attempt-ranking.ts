import type { Life } from '../../machines/life.ts';
import type { RunSettings } from '../../machines/settings.ts';
import { limitsWithin } from '../config/caps.ts';
import type { RunState } from '../kernel/fold.ts';
import { type Left, OUTSIDE, type Ranking } from '../kernel/loop-ranking.ts';
import { interruptionOf, checkedAgain, lifeFalls, lifeLeft } from '../termination/life-left.ts';
import type { Attempted } from './attempt-loop.ts';

// The parts of a ranking that loops of whole attempts share.

/** A capture and checks are started again. An attempt is not, so its interruption lowers the rank. */
export const workStartedAgain = interruptionOf('capture', 'checks', 'groundsRuling');

/** The part of the rank that falls on each transition that these loops share. */
export const attemptFalls: Ranking['falls'] = {
  ...lifeFalls,
  'stream iteration.started 0': 'rounds',
  'tools effect.interrupted 0': OUTSIDE,
  'verify.checking effect.interrupted 0': OUTSIDE,
  'decide.aborting child.settled 0': 'work',
  'decide.aborting workspace.captured 0': 'work',
  'decide.aborting workspace.failed 0': 'work',
  'decide.aborting baseline.taken 0': 'work',
  'decide.aborting verification.completed 0': 'work',
  'decide.aborting effect.interrupted 0': 'work',
};

/** The child run of each round: its limits are its own, within those of its loop. */
export const attemptBelow: NonNullable<Ranking['below']> = ({ limits, attemptLimits, ...settings }: RunSettings) => ({
  kind: 'one a round',
  settings: {
    ...settings,
    loop: 'turn',
    limits: limitsWithin(attemptLimits ?? limits, limits),
    attemptLimits: null,
    checks: [],
  },
});

/** How many events of each kind the work of an attempt takes. */
export interface AttemptWork<Context> {
  readonly mostRounds: (context: Context) => number;
  /** In the attempt that runs. */
  readonly ofThis: (context: Context) => number;
  /** In an attempt that no decision has begun yet. */
  readonly ofNext: (context: Context) => number;
}

/** The events left before the ending. A decided attempt whose beginning is not recorded yet counts as begun. */
export function attemptsLeft<Context extends Attempted>(
  { snapshot }: RunState,
  { mostRounds, ofThis, ofNext }: AttemptWork<Context>,
): Left & { readonly ending: number } {
  const context = snapshot.context as unknown as Context;
  const isUnbegun = context.isBeginning && snapshot.matches('stream');
  const now = isUnbegun ? { ...context, iterations: context.iterations + 1, attempt: null, warnings: 0 } : context;
  const roundsLeft = Math.max(0, mostRounds(now) - now.iterations);
  const { rounds, ...life } = lifeLeft(now, roundsLeft);
  return { rounds: rounds + (isUnbegun ? 1 : 0), work: ofThis(now) + roundsLeft * ofNext(now), ...life };
}

/** The checks that run, and what may follow them. */
export const checkingLeft = (life: Pick<Life, 'baseline' | 'dispute'>): number => 1 + checkedAgain(life);

/** The verification of an attempt, where there is anything to check it with, and a ruling on what it disputes. */
export const checksOf = ({ hasChecks, hasCi, baseline }: Pick<Life, 'hasChecks' | 'hasCi' | 'baseline'>): number =>
  hasChecks || hasCi ? checkingLeft({ baseline, dispute: null }) : 0;

/** The results of cancelled effects. */
export const pendingOf = ({ pending }: Pick<Life, 'pending'>): number => Object.keys(pending).length;
