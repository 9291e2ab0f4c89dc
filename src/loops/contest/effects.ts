import type { Effect } from '../shared/effect.ts';
import { attempt } from '../shared/effects/run-child.ts';
import { sharedEffects } from '../shared-effects.ts';
import { compared } from './comparison.ts';
import { admittedAttempt } from './contest-rounds.ts';
import { contestantSettings } from './contestant-settings.ts';
import { bringing } from './effects/bring-winner.ts';
import { measurement } from './effects/measure-attempt.ts';
import { preparation } from './effects/prepare-attempt.ts';

/** The effects of a contest. */
export const contestEffects: Readonly<Record<string, Effect>> = {
  ...sharedEffects,
  admitAttempt: { class: 'repeatable', interrupted: null, decide: admittedAttempt },
  prepareAttempt: preparation,
  runAgent: { ...attempt, opens: contestantSettings, opensLater: true },
  measureAttempt: measurement,
  compareAttempts: {
    class: 'repeatable',
    interrupted: null,
    decide: (context, memory) => ({ type: 'attempts.compared', payload: compared(context, memory) }),
  },
  bringWinner: bringing,
};
