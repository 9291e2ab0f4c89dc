import { z } from 'zod';
import type { RunOptions } from '../../src/config/options.ts';
import { builtInStrategies } from '../../src/strategies/registry.ts';
import type { LoopStrategy } from '../../src/strategies/strategy.ts';
import { createHarness } from './harness.ts';
import type { HarnessOptions } from './harness-options.ts';
import { verdicts } from './stand-ins.ts';

/** The options of a run with the strategy of `under`. */
export const own: Partial<RunOptions> = { loop: 'iteration', strategy: 'own', checks: ['L1:npm test'] };

/** A harness with one more strategy, `own`, that continues by default. Checks fail, attempts succeed. */
export const under = (members: Partial<LoopStrategy>, more: Partial<HarnessOptions> = {}) => {
  const onIterationComplete = async () => ({ continue: true, reason: 'more' });
  const create = () => ({ name: 'own', onIterationComplete, ...members });
  return createHarness({
    strategies: builtInStrategies().register('own', { config: z.looseObject({}), create }),
    model: { answers: [{ text: 'I tried.' }] },
    services: { verify: verdicts(false) },
    ...more,
  });
};
