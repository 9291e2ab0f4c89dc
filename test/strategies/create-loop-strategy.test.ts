import { expect, test } from 'vitest';
import { FixedStrategy } from '../../src/strategies/fixed.ts';
import { HybridStrategy } from '../../src/strategies/hybrid.ts';
import { createLoopStrategy } from '../../src/index.ts';
import { RalphStrategy } from '../../src/strategies/ralph.ts';
import { STRATEGY_KINDS } from '../../src/strategies/strategy-kinds.ts';
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
  const known = STRATEGY_KINDS.map(({ name }) => name).join(', ');
  expect(() => createLoopStrategy({ mode: 'rlaph' })).toThrow(
    new RangeError(`createLoopStrategy: mode: expected one of: ${known}, found 'rlaph'. Did you mean ralph?`),
  );
});

test('L14 every invalid member is named', () => {
  const config = { mode: 'hybrid', baseIterations: 0, progressTreshold: 1 };
  expect(() => createLoopStrategy(config)).toThrow(/baseIterations: expected .*; .*progressTreshold: .*Did you mean/);
  expect(() => createLoopStrategy({ mode: 'fixed', maxIterations: 0 })).toThrow(RangeError);
});
