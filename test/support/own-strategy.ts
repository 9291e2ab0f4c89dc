import { z } from 'zod';
import type { RunOptions } from '../../src/config/options.ts';
import { builtInStrategies } from '../../src/strategies/registry.ts';
import type { LoopStrategy } from '../../src/strategies/strategy.ts';
import { playhouse, type PlayhouseOptions } from './playhouse.ts';
import { verdicts } from './stand-ins.ts';

/** What a run asks for that is led by the strategy of `under`. */
export const own: Partial<RunOptions> = { loop: 'iteration', strategy: 'own', checks: ['L1:npm test'] };

/** A house with one more strategy, `own`, that goes on unless told otherwise. Checks fail, attempts succeed. */
export const under = (members: Partial<LoopStrategy>, more: Partial<PlayhouseOptions> = {}) => {
  const onIterationComplete = async () => ({ continue: true, reason: 'more' });
  const create = () => ({ name: 'own', onIterationComplete, ...members });
  return playhouse({
    strategies: builtInStrategies().register('own', { config: z.looseObject({}), create }),
    model: { answers: [{ text: 'I tried.' }] },
    instead: { verify: verdicts(false) },
    ...more,
  });
};
