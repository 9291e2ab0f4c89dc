import { iterationEntry } from '../../../machines/index.ts';
import type { IterationContext } from '../../../machines/iteration.machine.ts';
import type { Evidence } from '../../runtime/evidence.ts';
import type { LoopDefinition } from '../../runtime/loop-definition.ts';
import { attempt, attemptBounds, attemptDescription, attemptRounds, reserveForAttempt, setAsideForAttempt } from '../attempts.ts';
import { sharedEffects } from '../shared-effects.ts';
import { Attempts } from './attempts.ts';
import { judgeIteration } from './judge.ts';
import { iterationRanking } from './ranking.ts';

/** Whole attempts, each checked. */
export const iterationLoop: LoopDefinition = {
  ...iterationEntry,
  rounds: attemptRounds,
  effects: { ...sharedEffects, runAgent: attempt },
  judge: judgeIteration,
  hears: ({ context, memory, at }: Evidence<IterationContext, Attempts>) => memory.complete(context, at),
  remember: (run, settings) => new Attempts(run, settings.checks.length),
  reserve: reserveForAttempt,
  setsAside: setAsideForAttempt,
  settings: attemptBounds,
  ranking: iterationRanking,
  describe: attemptDescription,
};
