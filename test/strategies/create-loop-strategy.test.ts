import { expect, test } from 'vitest';
import { FixedStrategy } from '../../src/strategies/fixed-strategy.ts';
import { HybridStrategy } from '../../src/strategies/hybrid.ts';
import { createLoopStrategy, type LoopStrategyConfig } from '../../src/index.ts';
import { RalphStrategy } from '../../src/strategies/ralph.ts';
import { bare } from './bare-event.ts';

test('L14 a mode is the name of a strategy, and its config stands beside it', () => {
  expect(createLoopStrategy({ mode: 'fixed' })).toBeInstanceOf(FixedStrategy);
  expect(createLoopStrategy({ mode: 'hybrid', baseIterations: 2 })).toBeInstanceOf(HybridStrategy);
  expect(createLoopStrategy({ mode: 'ralph', minIterations: 1 })).toBeInstanceOf(RalphStrategy);
});

test.each([
  [{}, 3],
  [{ mode: 'fixed' }, 3],
  [{ mode: 'fixed', maxIterations: 5 }, 5],
  [{ mode: 'hybrid', baseIterations: 2, maxBonusIterations: 0 }, 2],
  [{ mode: 'ralph', maxIterations: 4, loopDetection: false }, 4],
  [{ mode: 'ralph', loopDetection: false }, 10],
])('L14 %j ends after %i iterations', async (config, iterations) => {
  const strategy = createLoopStrategy(config);
  const goesOn = async (iteration: number) =>
    (await strategy.onIterationComplete({ ...bare, iteration, maxIterations: iterations })).continue;
  expect([await goesOn(iterations - 2), await goesOn(iterations - 1)]).toEqual([true, false]);
});

test('L14 an unknown mode is an error that lists the known ones', () => {
  const known = 'fixed, hybrid, ralph';
  expect(() => createLoopStrategy({ mode: 'rlaph' })).toThrow(
    new RangeError(`createLoopStrategy: mode: expected one of: ${known}, found 'rlaph'. Did you mean ralph?`),
  );
});

test('L14 every invalid member is named', () => {
  const config = { mode: 'hybrid', baseIterations: 0, progressTreshold: 1 };
  expect(() => createLoopStrategy(config)).toThrow(/baseIterations: expected .*; .*progressTreshold: .*Did you mean/);
  expect(() => createLoopStrategy({ mode: 'fixed', maxIterations: 0 })).toThrow(RangeError);
});

const refusalOf = (config: unknown): unknown => {
  try {
    return createLoopStrategy(config as LoopStrategyConfig);
  } catch (error) {
    return error;
  }
};

test.each([
  [{ mode: null }, /mode: expected one of: fixed, hybrid, ralph, found null$/],
  [{ mode: 5 }, /mode: expected one of: fixed, hybrid, ralph, found 5$/],
  [
    { mode: 'custom', modulePath: 'patient.ts', strategyName: 'Patient' },
    /mode: expected one of: .*; a module of your own is loaded by a run: give Loops\.start its strategy, found 'custom'$/,
  ],
  [[], /config: expected an object, found \[\]$/],
  [null, /config: expected an object, found null$/],
  ['hybrid', /config: expected an object, found 'hybrid'$/],
  [{ maxIterations: '3' }, /maxIterations: expected a whole number of iterations, 1 or more, or null, found '3'$/],
  [
    { mode: 'hybrid', maxIterations: 0, baseIterations: 'two' },
    /maxIterations: expected .*, found 0; baseIterations: expected .*, found 'two'$/,
  ],
])('L14 %j is a RangeError that names what is invalid', (config, message) => {
  const refused = refusalOf(config);
  expect(refused).toBeInstanceOf(RangeError);
  expect((refused as RangeError).message).toMatch(message);
});
