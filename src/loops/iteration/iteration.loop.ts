import type { Share } from '../../../machines/events.ts';
import { iterationEntry } from '../../../machines/index.ts';
import type { IterationContext } from '../../../machines/iteration.machine.ts';
import { isLimited, leftFor } from '../../budget/allowance.ts';
import type { Situation } from '../../runtime/cast.ts';
import { lifeOf } from '../../runtime/fold.ts';
import type { Evidence } from '../../runtime/evidence.ts';
import type { LoopDefinition } from '../../runtime/loop-definition.ts';
import { attemptInterrupted, sharedEffects } from '../shared-effects.ts';
import { attemptSettings } from './attempt-settings.ts';
import { Attempts } from './attempts.ts';
import { judgeIteration } from './judge.ts';
import { iterationRanking } from './ranking.ts';

/** Whole attempts, each checked. */
export const iterationLoop: LoopDefinition = {
  ...iterationEntry,
  rounds: {
    started: 'iteration.started',
    begin: (context: IterationContext, { at, reserved }) => ({
      type: 'iteration.started',
      payload: { iteration: context.iterations, startedAt: at, ...(reserved ? { reserved } : {}) },
    }),
    count: (context: IterationContext) => context.iterations,
    limit: 'iterations',
  },
  effects: { ...sharedEffects, runAgent: { class: 'child', interrupted: attemptInterrupted, opens: attemptSettings } },
  judge: judgeIteration,
  hears: ({ context, memory, at }: Evidence<IterationContext, Attempts>) => memory.complete(context, at),
  remember: (run, settings) => new Attempts(run, settings.checks.length),
  reserve,
  settings: {
    bounds: ['maxIterations', 'maxTokens', 'maxTimeMs'],
    ofChildren: ['maxSteps', 'maxToolCalls'],
    needsGit: true,
  },
  ranking: iterationRanking,
  describe: { round: 'iteration', line: () => null },
};

/** An attempt may use all that is left. */
function reserve({ state }: Situation): Share | null {
  const left = leftFor(lifeOf(state), 'agent');
  return isLimited(left) ? left : null;
}
