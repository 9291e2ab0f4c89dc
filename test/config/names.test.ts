import { describe, expect, test } from 'vitest';
import { environmentOf, flagOf } from '../../src/options/option-table.ts';
import { RunOptions } from '../../src/config/options.ts';

describe('one name for an option, everywhere', () => {
  test('a cap is the same word as option, flag and variable', () => {
    expect(flagOf('maxSteps')).toBe('--max-steps');
    expect(environmentOf('maxSteps')).toBe('LOOPFOLD_MAX_STEPS');
  });

  test('the command line has its own names for the prompt and for checks', () => {
    expect(flagOf('prompt')).toBe('PROMPT');
    expect(flagOf('checks')).toBe('--verify');
    expect(environmentOf('checks')).toBe('LOOPFOLD_CHECKS');
  });

  test('no two options share a flag or a variable', () => {
    const options = Object.keys(RunOptions.shape);
    expect(new Set(options.map(flagOf)).size).toBe(options.length);
    expect(new Set(options.map(environmentOf)).size).toBe(options.length);
  });
});
