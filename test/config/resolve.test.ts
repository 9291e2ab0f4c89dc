import { describe, expect, test } from 'vitest';
import { RunSettings } from '../../machines/settings.ts';
import { DEFAULT_TOOLS } from '../../src/config/tools.ts';
import { refusals, resolved } from './resolved.ts';

const checks = ['npm test'];

describe('a turn', () => {
  test('T3 T6 a prompt is enough: 200 steps, 50 tool calls, nothing else bounded', () => {
    const { settings, warnings } = resolved({});
    expect(settings).toEqual({
      loop: 'turn',
      prompt: 'Fix the tests',
      system: null,
      model: 'default',
      fallbackModel: null,
      agent: null,
      tools: [...DEFAULT_TOOLS],
      environment: [],
      maxParallel: 8,
      directory: '.',
      limits: {
        maxSteps: 200,
        maxToolCalls: 50,
        maxTokens: null,
        maxIterations: null,
        maxTimeMs: null,
        maxCostNanoUsd: null,
      },
      attemptLimits: null,
      checks: [],
      ci: null,
      detectors: ['default'],
      summaryTokens: 0,
      stateDirectory: null,
      strategy: null,
      graceMs: 10_000,
      parent: null,
    });
    expect(warnings).toEqual([]);
    expect(RunSettings.parse(settings)).toEqual(settings);
  });

  test('every option reaches its place', () => {
    const { settings } = resolved({
      loop: 'turn',
      model: 'script:a.json',
      fallbackModel: 'script:b.json',
      agent: 'Refactorer',
      system: 'Be brief',
      tools: ['read'],
      environment: ['CI'],
      directory: '/work',
      maxSteps: 7,
      maxToolCalls: 8,
      maxTokens: 9,
      maxTime: '10s',
      checks,
      graceMs: 0,
    });
    expect(settings).toMatchObject({
      loop: 'turn',
      model: 'script:a.json',
      fallbackModel: 'script:b.json',
      agent: 'Refactorer',
      system: 'Be brief',
      tools: ['read'],
      environment: ['CI'],
      directory: '/work',
      limits: { maxSteps: 7, maxToolCalls: 8, maxTokens: 9, maxTimeMs: 10_000, maxIterations: null },
      checks: [{ command: 'npm test' }],
      graceMs: 0,
    });
  });

  test('what only a loop of iterations can use is warned about', () => {
    const { settings, warnings } = resolved({ loop: 'turn', strategy: 'fixed', maxIterations: 4 });
    expect(settings.strategy).toBeNull();
    expect(settings.limits.maxIterations).toBeNull();
    expect(warnings.map((warning) => warning.split(' ')[0])).toEqual(['maxIterations', 'strategy']);
  });
});

describe('a loop of iterations', () => {
  test('L6 is fixed with 3 iterations, and the agent that ships for each attempt', () => {
    const { settings, warnings } = resolved({ checks });
    expect(settings.loop).toBe('iteration');
    expect(settings.strategy).toEqual({ name: 'fixed', config: {} });
    const unlimited = {
      maxSteps: null,
      maxToolCalls: null,
      maxTokens: null,
      maxIterations: null,
      maxTimeMs: null,
      maxCostNanoUsd: null,
    };
    expect(settings.limits).toEqual({ ...unlimited, maxIterations: 3 });
    expect(settings.attemptLimits).toEqual({ ...unlimited, maxSteps: 200, maxToolCalls: 200 });
    expect(warnings).toEqual([]);
    expect(RunSettings.parse(settings)).toEqual(settings);
  });

  test('L17 time and tokens bound the whole run, steps and calls one attempt', () => {
    const { settings } = resolved({ checks, maxSteps: 5, maxToolCalls: 6, maxTokens: 7, maxTime: '30m' });
    expect(settings.limits).toMatchObject({ maxTokens: 7, maxTimeMs: 1_800_000, maxSteps: null, maxToolCalls: null });
    expect(settings.attemptLimits).toMatchObject({ maxSteps: 5, maxToolCalls: 6, maxTokens: null, maxTimeMs: null });
  });

  test('its grace is the configured one, plus what an attempt needs to record its last results', () => {
    expect(resolved({ checks }).settings.graceMs).toBe(15_000);
    expect(resolved({ checks, graceMs: 100 }).settings.graceMs).toBe(5_100);
    expect(resolved({ checks, graceMs: 100, loop: 'turn' }).settings.graceMs).toBe(100);
  });

  test.each([
    [{ checks }, 'iteration'],
    [{ strategy: 'fixed' }, 'iteration'],
    [{ checks: [] }, 'turn'],
    [{ maxIterations: 5 }, 'turn'],
    [{ checks, loop: 'turn' as const }, 'turn'],
    [{ loop: 'iteration' as const }, 'iteration'],
  ])('%j makes it a loop of kind %s', (options, loop) => expect(resolved(options).settings.loop).toBe(loop));

  test('without checks nothing ends fixed early, which is said', () => {
    expect(resolved({ loop: 'iteration' }).warnings).toEqual([expect.stringContaining('before iteration 3')]);
    expect(resolved({ strategy: 'ralph' }).warnings).toEqual([]);
  });

  test('the number of iterations may be given to the strategy, and is then the run’s', () => {
    const { settings } = resolved({ strategy: { name: 'fixed', config: { maxIterations: 7 } } });
    expect(settings.limits.maxIterations).toBe(7);
    expect(settings.strategy).toEqual({ name: 'fixed', config: {} });
  });

  test('given twice it must be the same number', () => {
    const strategy = { name: 'fixed', config: { maxIterations: 7 } };
    expect(resolved({ strategy, maxIterations: 7 }).settings.limits.maxIterations).toBe(7);
    expect(refusals({ prompt: 'a', strategy, maxIterations: 8 })).toEqual([
      'strategy.config.maxIterations (--strategy): expected the same number as maxIterations (8), or only one of the two, found 7',
    ]);
  });

  test('the rest of a strategy’s config is kept as it is', () => {
    const config = { threshold: 0.5, nested: { maxIterations: 9 } };
    expect(resolved({ strategy: { name: 'mine', config } }).settings.strategy).toEqual({ name: 'mine', config });
  });

  test('a strategy without a default gets the ceiling', () =>
    expect(resolved({ strategy: 'mine' }).settings.limits.maxIterations).toBe(100));
});

describe('checks', () => {
  test('L16 a line names its level, or is of level L0', () => {
    const timeoutMs = 600_000;
    expect(resolved({ checks: ['npm test', 'L2:npm run e2e -- L1:x'] }).settings.checks).toEqual([
      { level: 'L0', name: 'npm test', command: 'npm test', timeoutMs },
      { level: 'L2', name: 'npm run e2e -- L1:x', command: 'npm run e2e -- L1:x', timeoutMs },
    ]);
  });

  test('L16 an object says all of it', () => {
    const check = { level: 'L1' as const, name: 'unit', command: 'npm test', timeoutMs: 5 };
    expect(resolved({ checks: [check] }).settings.checks).toEqual([check]);
  });
});
