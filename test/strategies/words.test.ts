import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { strategyCap } from '../../src/config/defaults.ts';
import { builtInStrategies } from '../../src/strategies/registry.ts';
import { STRATEGY_WORDS } from '../../src/strategies/words.ts';
import { strategySections } from '../docs/strategy-table.ts';

const kinds = [...builtInStrategies().kinds()];
const keysOf = (name: string) => {
  const config = kinds.find(([known]) => known === name)?.[1].config;
  return config instanceof z.ZodObject ? Object.keys(config.shape) : [];
};

describe('L18 the comparison and the guide are what the code is', () => {
  test('L18 every strategy that comes with the library is compared, and can be chosen', () => {
    expect(kinds.map(([name]) => name)).toEqual(Object.keys(STRATEGY_WORDS));
    for (const [name, { about }] of kinds) {
      expect(about?.bestFor.length).toBeGreaterThan(0);
      expect(strategySections()).toContain(`Choose \`${name}\` when`);
    }
  });

  test('L18 every key of every config is explained, with its default', () => {
    for (const [name, { config }] of kinds) {
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

  test('L18 a key that the words name is one that the strategy takes, or the run', () => {
    for (const [name, about] of Object.entries(STRATEGY_WORDS)) {
      const { bestFor: _, ...words } = about;
      const named = Object.values(words).flatMap((text) => [...text.matchAll(/`(\w+)`/g)].map(([, key]) => key));
      expect([...keysOf(name), 'maxIterations']).toEqual(expect.arrayContaining(named));
    }
  });

  test('L18 the numbers in the words are those of the code', () => {
    for (const name of ['fixed', 'ralph'] as const) expect(STRATEGY_WORDS[name].caps).toContain(`, ${strategyCap({ name, config: {} })} where`);
    expect(keysOf('hybrid')).toContain('acceptPartialAfter');
    for (const name of ['fixed', 'ralph'] as const) {
      expect(keysOf(name)).not.toContain('acceptPartialAfter');
      expect(STRATEGY_WORDS[name].partial).toBe('never');
    }
  });
});
