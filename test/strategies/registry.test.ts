import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { faultSentence } from '../../src/config/fault.ts';
import { builtInStrategies, type CreatedStrategy, StrategyRegistry } from '../../src/strategies/registry.ts';
import type { LoopStrategy } from '../../src/strategies/strategy.ts';
import { iteration } from './iteration.ts';

const sentences = (created: CreatedStrategy) => (created.kind === 'refused' ? created.faults.map(faultSentence) : []);

const made = (created: CreatedStrategy): LoopStrategy => {
  if (created.kind === 'refused') throw new Error(sentences(created).join('; '));
  return created.strategy;
};

const iterationsOf = async (strategy: LoopStrategy): Promise<number> => {
  for (let index = 0; index < 50; index += 1) {
    const decision = await strategy.onIterationComplete(iteration({ iteration: index }));
    if (!decision.continue) return index + 1;
  }
  return Infinity;
};

describe('L14 the registry', () => {
  test('L14 nothing configured is fixed with 3 iterations', async () => {
    const strategy = made(builtInStrategies().create(null));
    expect(strategy.name).toBe('fixed');
    expect(await iterationsOf(strategy)).toBe(3);
  });

  test('L14 a run’s number of iterations is its strategy’s', async () => {
    const fixed = { name: 'fixed', config: {} };
    expect(await iterationsOf(made(builtInStrategies().create(fixed, { maxIterations: 5 })))).toBe(5);
    expect(await iterationsOf(made(builtInStrategies().create(fixed, { maxIterations: null })))).toBe(Infinity);
  });

  test('L14 an unknown name is a fault that lists the known ones and guesses', () => {
    expect(builtInStrategies().create({ name: 'fixde', config: {} })).toEqual({
      kind: 'refused',
      faults: [
        { field: 'strategy', flag: '--strategy', value: 'fixde', expected: 'one of: fixed, hybrid, ralph, custom', suggestion: 'fixed' },
      ],
    });
    expect(sentences(builtInStrategies().create({ name: 'toString', config: {} }))).toEqual([
      "strategy (--strategy): expected one of: fixed, hybrid, ralph, custom, found 'toString'",
    ]);
  });

  test('L14 a config the strategy does not take is refused, naming every place in it', () => {
    expect(sentences(builtInStrategies().create({ name: 'fixed', config: { baseIterations: 3 } }))).toEqual([
      'strategy.config.baseIterations (--strategy): expected what the strategy fixed takes (a known option), found 3',
    ]);
    const config = z.strictObject({ word: z.string({ error: 'a word' }), at: z.array(z.int({ error: 'a place' })) });
    const registry = new StrategyRegistry().register('mine', { config, create: () => made(builtInStrategies().create(null)) });
    expect(sentences(registry.create({ name: 'mine', config: { at: [1, 'x'] } }))).toEqual([
      'strategy.config.word (--strategy): expected what the strategy mine takes (a word), found nothing',
      "strategy.config.at[1] (--strategy): expected what the strategy mine takes (a place), found 'x'",
    ]);
  });

  test('L14 another strategy is registered under its name, gets its parsed config, and is listed', async () => {
    const config = z.strictObject({ greeting: z.string().default('hello') });
    const registry = builtInStrategies().register('mine', {
      config,
      create: ({ greeting }, { maxIterations }) => ({
        name: 'mine',
        onIterationComplete: async () => ({ continue: false, reason: `${greeting} ${maxIterations}` }),
      }),
    });
    expect(registry.list()).toEqual(['fixed', 'hybrid', 'ralph', 'custom', 'mine']);
    const strategy = made(registry.create({ name: 'mine', config: {} }, { maxIterations: 4 }));
    expect(await strategy.onIterationComplete(iteration())).toEqual({ continue: false, reason: 'hello 4' });
  });

  test('L14 a name is taken once, in one registry', () => {
    const kind = { config: z.unknown(), create: () => made(builtInStrategies().create(null)) };
    expect(() => builtInStrategies().register('fixed', kind)).toThrow(/fixed is registered already/);
    expect(new StrategyRegistry().register('fixed', kind).list()).toEqual(['fixed']);
    expect(new StrategyRegistry().list()).toEqual([]);
  });
});
