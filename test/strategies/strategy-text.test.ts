import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { OPTION_ROWS } from '../../src/options/option-table.ts';
import { builtInStrategy, STRATEGY_KINDS, strategyChoice } from '../../src/strategies/strategy-kinds.ts';
import { strategySections } from '../docs/strategy-table.ts';

const kindOf = (name: string) => {
  const kind = builtInStrategy(name);
  if (!kind) throw new Error(`${name} is not a built-in strategy`);
  return kind;
};
const keysOf = (config: z.ZodType) => (config instanceof z.ZodObject ? Object.keys(config.shape) : []);

describe('L18 the comparison and the guide are what the code is', () => {
  test('L18 every strategy that comes with the library is compared, and can be chosen', () => {
    for (const { name, about } of STRATEGY_KINDS) {
      expect(about?.bestFor.length).toBeGreaterThan(0);
      expect(strategySections()).toContain(`Choose \`${name}\` when`);
    }
  });

  test('L18 an option lists the strategies as they are written there', () =>
    expect(strategyChoice()).toMatch(/^fixed, hybrid, ralph, (\w+, )*or custom:PATH#NAME$/));

  test('L14 the help lists them all', () => expect(OPTION_ROWS.strategy.means).toContain(strategyChoice()));

  test('L18 every key of every config is explained, with its default', () => {
    for (const { name, config } of STRATEGY_KINDS) {
      const shape = config instanceof z.ZodObject ? config.shape : {};
      for (const [key, field] of Object.entries(shape)) {
        const { description } = field as z.ZodType;
        expect(`${name}.${key}: ${description}`).toMatch(/: \S+ \S+/);
        expect(strategySections()).toContain(`| \`${key}\` | ${description} |`);
      }
    }
    expect(strategySections()).toContain('| `3` |');
    expect(strategySections()).not.toContain('undefined');
  });

  test('L18 a config key that the text names is one that the strategy takes, or the run', () => {
    for (const { config, about } of STRATEGY_KINDS) {
      const { bestFor: _, ...texts } = about ?? { bestFor: [] };
      const named = Object.values(texts).flatMap((text) => [...text.matchAll(/`(\w+)`/g)].map(([, key]) => key));
      expect([...keysOf(config), 'maxIterations']).toEqual(expect.arrayContaining(named));
    }
  });

  test('L18 the number in a text is the default of the code', () => {
    for (const name of ['fixed', 'ralph'] as const) {
      const { about, defaultIterations } = kindOf(name);
      expect(about?.caps).toContain(`, ${defaultIterations({})} by default`);
    }
  });

  test('L18 only a strategy that takes acceptPartialAfter takes a partial result', () => {
    expect(keysOf(kindOf('hybrid').config)).toContain('acceptPartialAfter');
    for (const name of ['fixed', 'ralph'] as const) {
      expect(keysOf(kindOf(name).config)).not.toContain('acceptPartialAfter');
      expect(kindOf(name).about?.partial).toBe('never');
    }
  });
});
