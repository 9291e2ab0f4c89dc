/** How a strategy is told from the others, in the words of the guide. */
export interface StrategyWords {
  readonly purpose: string;
  /** How many iterations it runs at most. */
  readonly caps: string;
  /** What completes it. */
  readonly endsWhen: string;
  /** What it takes for going in circles. */
  readonly stopsWhen: string;
  readonly progress: string;
  readonly partial: string;
  readonly checks: string;
  /** When to choose it. */
  readonly bestFor: readonly string[];
}

type BuiltIn = 'fixed' | 'hybrid' | 'ralph' | 'custom';

export const STRATEGY_WORDS: Readonly<Record<BuiltIn, StrategyWords>> = {
  fixed: {
    purpose: 'so many iterations, no more',
    caps: '`maxIterations`, 3 where nobody says',
    endsWhen: 'the checks pass',
    stopsWhen: 'never by itself',
    progress: 'not measured',
    partial: 'never',
    checks: 'run',
    bestFor: ['the task has a predictable scope', 'you know how many attempts it deserves', 'you debug a loop, or try one out'],
  },
  hybrid: {
    purpose: 'some iterations, and more while they help',
    caps: '`baseIterations` and `maxBonusIterations`, within `maxIterations`',
    endsWhen: 'the checks pass, or one of `completionCriteria` is met and no check fails',
    stopsWhen: 'three iterations leave the same files and results, or a bonus iteration brings no progress',
    progress: 'checks, levels and tests that pass, against the best iteration before',
    partial: 'with `acceptPartialAfter`',
    checks: 'run',
    bestFor: ['nothing speaks for another one', 'you want it to notice by itself that it is done', 'iterations are too dear to be wasted'],
  },
  ralph: {
    purpose: 'until the agent says that it is done',
    caps: '`maxIterations`, 10 where nobody says',
    endsWhen: 'the checks pass, or the agent gives a completion signal and no check fails, not before `minIterations`',
    stopsWhen: 'three answers say the same, or the last `windowSize` iterations fail alike and say nearly the same',
    progress: 'as convergence: equal failures and similar answers',
    partial: 'never',
    checks: 'run, unless `skipVerification`',
    bestFor: ['the task is long, and the agent works on its own', 'the agent can tell when it is done', 'you want as much autonomy as there is'],
  },
  custom: {
    purpose: 'a module of your own decides',
    caps: 'what the module says, within `maxIterations`',
    endsWhen: 'the checks pass, or the module says so',
    stopsWhen: 'the module says so',
    progress: 'as the module measures it',
    partial: 'as the module says',
    checks: 'run',
    bestFor: ['none of the others fits', 'you have rules of your own', 'you build on top of this'],
  },
};
