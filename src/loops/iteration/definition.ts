import { iterationEntry } from '../../../machines/index.ts';
import type { IterationContext } from '../../../machines/iteration.machine.ts';
import type { Evidence } from '../../kernel/decision.ts';
import type { LoopDefinition } from '../../kernel/loop-definition.ts';
import {
  attemptActivity,
  attemptBounds,
  attemptRounds,
  describedAttempts,
  reserveForAttempt,
  setAsideForAttempt,
} from '../attempt-loop.ts';
import { groundsAnswers } from '../grounds-questions.ts';
import { attempt } from '../shared/effects/run-child.ts';
import { sharedEffects } from '../shared-effects.ts';
import { IterationMemory } from './memory.ts';
import { judgeIteration } from './judge.ts';
import { iterationRanking } from './ranking.ts';

const asks = groundsAnswers({});

/** Whole attempts, each checked. */
export const iterationLoop: LoopDefinition = {
  ...iterationEntry,
  rounds: attemptRounds,
  effects: { ...sharedEffects, runAgent: attempt },
  judge: judgeIteration,
  strategyInput: ({ context, memory, at }: Evidence<IterationContext, IterationMemory>) => memory.complete(context, at),
  remember: (run, settings) => new IterationMemory(run, settings),
  reserve: reserveForAttempt,
  setsAside: setAsideForAttempt,
  settings: attemptBounds,
  commands: asks.commands,
  answered: asks.answered,
  activity: attemptActivity,
  ranking: iterationRanking,
  describe: describedAttempts({ questions: asks.questions }),
};
