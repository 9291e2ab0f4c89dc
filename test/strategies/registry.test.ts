import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { faultSentence } from '../../src/options/config-fault.ts';
import { builtInStrategies, type CreatedStrategy, StrategyRegistry } from '../../src/strategies/registry.ts';
import type { LoopStrategy } from '../../src/strategies/strategy.ts';
import { STRATEGY_KINDS } from '../../src/strategies/strategy-kinds.ts';
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

const NAMES = STRATEGY_KINDS.map(({ name }) => name);

describe('L14 the registry', () => {
  test('L14 comes with these strategies', () =>
    expect(NAMES).toEqual(expect.arrayContaining(['fixed', 'hybrid', 'ralph', 'custom'])));

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
        {
          field: 'strategy',
          flag: '--strategy',
          value: 'fixde',
          expected: `one of: ${NAMES.join(', ')}`,
          suggestion: 'fixed',
        },
      ],
    });
    expect(sentences(builtInStrategies().create({ name: 'toString', config: {} }))).toEqual([
      `strategy (--strategy): expected one of: ${NAMES.join(', ')}, found 'toString'`,
    ]);
  });

  test('L14 a config the strategy does not take is refused, naming every place in it', () => {
    expect(sentences(builtInStrategies().create({ name: 'fixed', config: { baseIterations: 3 } }))).toEqual([
      'strategy.config.baseIterations (--strategy): expected what the strategy fixed takes (a known option), found 3',
    ]);
    const config = z.strictObject({ word: z.string({ error: 'a word' }), at: z.array(z.int({ error: 'a place' })) });
    const registry = new StrategyRegistry().register('mine', {
      config,
      create: () => made(builtInStrategies().create(null)),
    });
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
    expect(registry.list()).toEqual([...NAMES, 'mine']);
    const strategy = made(registry.create({ name: 'mine', config: {} }, { maxIterations: 4 }));
    expect(await strategy.onIterationComplete(iteration())).toEqual({ continue: false, reason: 'hello 4' });
  });

  test('L14 a name is taken once, in one registry', () => {
    const kind = { config: z.unknown(), create: () => made(builtInStrategies().create(null)) };
    expect(() => builtInStrategies().register('fixed', kind)).toThrow(/fixed is registered already/);
    expect(new StrategyRegistry().register('fixed', kind).list()).toEqual(['fixed']);
    expect(new StrategyRegistry().list()).toEqual([]);
  });

  test.each<[string, Record<string, unknown>, string]>([
    [
      'hybrid',
      { baseIterations: -1 },
      'baseIterations (--strategy): expected what the strategy hybrid takes (a whole number of iterations, 1 or more), found -1',
    ],
    [
      'hybrid',
      { maxBonusIterations: 1.5 },
      'maxBonusIterations (--strategy): expected what the strategy hybrid takes (a whole number of iterations, 0 or more), found 1.5',
    ],
    [
      'hybrid',
      { progressThreshold: 2 },
      'progressThreshold (--strategy): expected what the strategy hybrid takes (a number from 0 to 1), found 2',
    ],
    [
      'hybrid',
      { completionCriteria: ['ci_pass', 'luck'] },
      "completionCriteria[1] (--strategy): expected what the strategy hybrid takes (one of: verification_pass, ci_pass, no_changes, agent_signal), found 'luck'",
    ],
    [
      'hybrid',
      { acceptPartialAfter: 0 },
      'acceptPartialAfter (--strategy): expected what the strategy hybrid takes (a whole number of iterations, 1 or more, or null), found 0',
    ],
    [
      'ralph',
      { minIterations: 0 },
      'minIterations (--strategy): expected what the strategy ralph takes (a whole number of iterations, 1 or more), found 0',
    ],
    [
      'ralph',
      { similarityThreshold: -1 },
      'similarityThreshold (--strategy): expected what the strategy ralph takes (a number from 0 to 1), found -1',
    ],
    [
      'ralph',
      { windowSize: 1 },
      'windowSize (--strategy): expected what the strategy ralph takes (a whole number of iterations, 2 to 100), found 1',
    ],
    [
      'ralph',
      { minIteration: 2 },
      'minIteration (--strategy): expected what the strategy ralph takes (a known option), found 2. Did you mean minIterations?',
    ],
  ])('L14 %s refuses %j, with the field', (name, config, sentence) =>
    expect(sentences(builtInStrategies().create({ name, config: config as never }))).toEqual([
      `strategy.config.${sentence}`,
    ]),
  );

  test('L7 L11 hybrid and ralph end at their own numbers, or at the run’s where those are smaller', async () => {
    const hybrid = { name: 'hybrid', config: { baseIterations: 2, maxBonusIterations: 2, completionCriteria: [] } };
    const ralph = { name: 'ralph', config: { minIterations: 7 } };
    const alone = { maxIterations: null };
    expect(await iterationsOf(made(builtInStrategies().create(hybrid, alone)))).toBe(4);
    expect(await iterationsOf(made(builtInStrategies().create(hybrid, { maxIterations: 3 })))).toBe(3);
    expect(await iterationsOf(made(builtInStrategies().create(hybrid, { maxIterations: 30 })))).toBe(4);
    expect(await iterationsOf(made(builtInStrategies().create(ralph, { maxIterations: 5 })))).toBe(5);
  });

  test('L11 what cannot work is warned of, and what is refused warns of nothing', () => {
    const limits = { maxSteps: null, maxToolCalls: null, maxTokens: null, maxIterations: 3, maxTimeMs: null };
    const checks = [{ level: 'L0', name: 'types', command: 'tsc', timeoutMs: 1_000 }] as const;
    const warned = (name: string, config: Record<string, unknown>) =>
      builtInStrategies().warnings({ name, config: config as never }, { limits, checks: [...checks] });
    expect(warned('ralph', { minIterations: 4 })).toEqual([
      'minIterations (4) is more than maxIterations (3): 3 is used.',
    ]);
    expect(warned('ralph', { minIterations: 3 })).toEqual([]);
    expect(warned('ralph', { skipVerification: true })).toEqual([
      'skipVerification: the checks are not run, so a success is not verified.',
    ]);
    expect(warned('hybrid', { baseIterations: 5 })).toEqual([
      'baseIterations (5) is more than maxIterations (3): the loop ends at 3.',
    ]);
    expect(warned('hybrid', { baseIterations: 1, maxBonusIterations: 1 })).toEqual([
      'maxIterations (3) is more than the strategy has: 1 and 1. The loop ends at 2; raise maxBonusIterations for more.',
    ]);
    expect(warned('hybrid', { baseIterations: 1, maxBonusIterations: 2 })).toEqual([]);
    expect(warned('hybrid', { acceptPartialAfter: 4 })).toEqual([
      expect.stringMatching(/^acceptPartialAfter \(4\) is more/),
    ]);
    expect(warned('hybrid', { acceptPartialAfter: 3, minVerificationLevel: 'L0' })).toEqual([]);
    expect(warned('hybrid', { minVerificationLevel: 'L1' })).toEqual([
      expect.stringMatching(/^minVerificationLevel is L1, but no check has that level/),
    ]);
    expect(warned('ralph', { minIterations: -1 })).toEqual([]);
    expect(warned('nobody', {})).toEqual([]);
    expect(builtInStrategies().warnings(null, { limits, checks: [] })).toEqual([]);
  });
});
