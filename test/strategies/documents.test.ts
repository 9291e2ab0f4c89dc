import { describe, expect, test } from 'vitest';
import { FixedStrategy } from '../../src/strategies/fixed-strategy.ts';
import { HybridStrategy } from '../../src/strategies/hybrid.ts';
import { RalphStrategy } from '../../src/strategies/ralph.ts';
import type { IterationSummary } from '../../src/strategies/strategy.ts';
import { bare } from './bare-event.ts';

const before = (...iterations: readonly number[]) =>
  iterations.map((iteration) => ({
    iteration,
    agentSuccess: true,
    verificationPassed: false,
    durationMs: 1000,
    tokensUsed: 100,
  })) as unknown as IterationSummary[];

describe('L19 the decisions that were promised first', () => {
  test('L19 fixed continues until max iterations', async () => {
    const strategy = new FixedStrategy(3);
    const decision1 = await strategy.onIterationComplete({ ...bare, iteration: 0 });
    expect(decision1.continue).toBe(true);
    const decision2 = await strategy.onIterationComplete({ ...bare, iteration: 1 });
    expect(decision2.continue).toBe(true);
    const decision3 = await strategy.onIterationComplete({ ...bare, iteration: 2 });
    expect(decision3.continue).toBe(false);
  });

  test('L19 fixed stops early on verification pass', async () => {
    const strategy = new FixedStrategy(5);
    const decision = await strategy.onIterationComplete({ ...bare, iteration: 0, verificationPassed: true });
    expect(decision.continue).toBe(false);
    expect(decision.reason).toContain('passed');
  });

  test('L19 hybrid uses bonus iterations when progressing', async () => {
    const strategy = new HybridStrategy(2, 2);
    const d1 = await strategy.onIterationComplete({ ...bare, iteration: 0 });
    expect(d1.continue).toBe(true);
    const d2 = await strategy.onIterationComplete({ ...bare, iteration: 1, previousIterations: before(0) });
    expect(d2.continue).toBe(true);
    const d3 = await strategy.onIterationComplete({ ...bare, iteration: 2, previousIterations: before(0, 1) });
    expect(d3.continue).toBe(true);
  });

  test('L19 ralph detects convergence', async () => {
    const strategy = new RalphStrategy(2, 10, 0.95, 3);
    const decision = await strategy.onIterationComplete({
      ...bare,
      iteration: 4,
      previousIterations: before(0, 1, 2, 3),
    });
    expect(decision.continue).toBe(false);
    expect(decision.reason).toContain('Convergence');
  });
});
