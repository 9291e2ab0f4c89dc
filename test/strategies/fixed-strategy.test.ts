import { describe, expect, test } from 'vitest';
import { type AgentResult, isPure, type LoopStrategy } from '../../src/strategies/strategy.ts';
import { LoopDecision } from '../../src/strategies/loop-decision.ts';
import { feedbackOn } from '../../src/strategies/feedback.ts';
import { FixedStrategy } from '../../src/strategies/fixed-strategy.ts';
import { bare } from './bare-event.ts';
import { agent, check, failed, iteration, report, verified } from './iteration.ts';

describe('L19 the decisions its first interface promised', () => {
  test('L19 fixed goes on until its last iteration', async () => {
    const strategy = new FixedStrategy(3);
    expect((await strategy.onIterationComplete({ ...bare, iteration: 0 })).continue).toBe(true);
    expect((await strategy.onIterationComplete({ ...bare, iteration: 1 })).continue).toBe(true);
    expect((await strategy.onIterationComplete({ ...bare, iteration: 2 })).continue).toBe(false);
  });

  test('L19 fixed stops early when verification passes', async () => {
    const passed = { ...bare, iteration: 0, verificationPassed: true };
    const decision = await new FixedStrategy(5).onIterationComplete(passed);
    expect(decision.continue).toBe(false);
    expect(decision.reason).toContain('passed');
  });

  test('L19 a failed attempt without any detail still gets feedback', () => {
    const agentResult = { success: false } as AgentResult;
    expect(new FixedStrategy(3).decide({ ...bare, agentSuccess: false, agentResult }).feedback).toMatch(
      /^The attempt did not succeed\. /,
    );
  });
});

describe('L6 a fixed number of iterations', () => {
  const failing = report({ L0: [check('lint', false, 'no semicolon')] });
  const fixed = new FixedStrategy(3);

  test('L6 a failed verification goes on, and says where it is, counting from 1', () =>
    expect(fixed.decide(verified(failing, { iteration: 1 }))).toEqual({
      continue: true,
      action: 'continue',
      reason: 'iteration 2/3: verification failed',
      feedback: expect.stringContaining('L0/lint: no semicolon'),
    }));

  test('L6 the last iteration ends the loop by its limit of iterations, without feedback', () =>
    expect(fixed.decide(verified(failing, { iteration: 2 }))).toEqual({
      continue: false,
      action: 'timeout',
      limit: { name: 'iterations', limit: 3 },
      reason: 'iteration 3/3: verification failed, and no iteration is left',
    }));

  test('L6 verification that passes is complete, on the last iteration too', () => {
    const passing = report({ L0: [check('lint', true)] });
    for (const iterations of [1, 3]) {
      expect(new FixedStrategy(iterations).decide(verified(passing, { iteration: iterations - 1 }))).toEqual({
        continue: false,
        action: 'complete',
        reason: 'verification passed',
      });
    }
  });

  test('L6 neither a failed attempt nor missing checks end it early, and the reason tells them apart', () => {
    const expected = { continue: true, reason: 'iteration 1/3: the attempt failed' };
    expect(fixed.decide(failed(agent(null, 1)))).toMatchObject(expected);
    expect(fixed.decide(iteration())).toMatchObject({
      ...expected,
      reason: 'iteration 1/3: the work is not verified',
    });
  });

  test('without a number it never stops by itself', () =>
    expect(new FixedStrategy(null).decide(iteration({ iteration: 999 }))).toMatchObject({
      continue: true,
      reason: 'iteration 1000: the work is not verified',
    }));

  test('L5 what it tells the next iteration is the feedback on this one', () => {
    for (const event of [verified(failing), failed(agent(null, 3)), iteration()]) {
      expect(fixed.decide(event).feedback).toBe(feedbackOn(event));
    }
  });

  test('L1 it decides at once, and the promise says the same', async () => {
    expect(isPure(fixed)).toBe(true);
    expect(fixed.name).toBe('fixed');
    const event = verified(failing);
    expect(await fixed.onIterationComplete(event)).toEqual(fixed.decide(event));
    expect(LoopDecision.parse(fixed.decide(event))).toEqual(fixed.decide(event));
  });

  test('L1 a strategy that merely has a method called decide is not taken for a pure one', () => {
    const custom: LoopStrategy = { name: 'mine', onIterationComplete: fixed.onIterationComplete };
    const decide = () => 'no';
    for (const members of [{ decide }, { decide, pure: false }, { pure: true }, { pure: true, decide: 1 }])
      expect(isPure({ ...custom, ...members })).toBe(false);
  });
});
