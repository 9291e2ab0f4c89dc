import { describe, expect, test } from 'vitest';
import type { LoopDecision } from '../../src/strategies/loop-decision.ts';
import { feedbackOn } from '../../src/strategies/feedback.ts';
import { HybridStrategy } from '../../src/strategies/hybrid.ts';
import { progressOf } from '../../src/strategies/compare-progress.ts';
import { RalphStrategy } from '../../src/strategies/ralph.ts';
import { builtInStrategies } from '../../src/strategies/registry.ts';
import { converged } from '../../src/strategies/repetition.ts';
import { completionSignal } from '../../src/strategies/completion-signals.ts';
import type { IterationCompleteEvent } from '../../src/strategies/strategy.ts';
import { check, iteration, report, verified } from './iteration.ts';
import { ALL_CHECKS, heard, lastEvent, lastWord } from './told.ts';

/** The rules as they were first described, cut down to what is wrong with them. */
const first = {
  /** Of hybrid: whatever the checks say counts as progress. */
  isProgressing({ agentSuccess, previousIterations }: IterationCompleteEvent): boolean {
    const previous = previousIterations.at(-1);
    if (!previous) return true;
    return agentSuccess || !previous.agentSuccess;
  },
  /** Of ralph: three failures in a row, whatever failed. */
  hasConverged({ previousIterations }: IterationCompleteEvent, windowSize = 3): boolean {
    if (previousIterations.length < windowSize) return false;
    const recent = previousIterations.slice(-windowSize);
    return recent.every(({ verificationPassed }) => verificationPassed === recent[0]?.verificationPassed);
  },
  /** Of ralph: whether fewer than `minIterations` are done is asked before `maxIterations`. */
  goesOn: ({ iteration }: IterationCompleteEvent, minIterations: number, maxIterations: number): boolean =>
    iteration < minIterations - 1 || iteration < maxIterations - 1,
  /** Of ralph: the cap is asked before the signal. */
  actionAtTheEnd({ iteration, agentOutput }: IterationCompleteEvent, maxIterations: number): LoopDecision['action'] {
    if (iteration >= maxIterations - 1) return 'timeout';
    return agentOutput.includes('TASK_COMPLETE') ? 'complete' : 'continue';
  },
  saysDone: (output: string): boolean =>
    ['TASK_COMPLETE', 'TASK_COMPLETED', 'DONE', '[COMPLETE]'].some((signal) => output.includes(signal)),
  /** Of hybrid: a criterion is met whatever the checks say. */
  isComplete: ({ agentOutput }: IterationCompleteEvent): boolean => agentOutput.includes('TASK_COMPLETE'),
  checkFeedback: (output: string): string => output.slice(0, 200),
  feedback: (): string => 'Please review the verification failures and iterate.',
  strategyFor: (mode: string): string => (['hybrid', 'ralph'].includes(mode) ? mode : 'fixed'),
};

const stuck = { passes: ['types', 'lint', 'unit'] };

describe('what the first description got wrong', () => {
  test('L7 progress that is always found is no measure', () => {
    const event = lastEvent(stuck, stuck);
    expect(first.isProgressing(event)).toBe(true);
    expect(progressOf(event, 0.1).isProgress).toBe(false);
    expect(heard(new HybridStrategy(1, 3), stuck, stuck).at(-1)).toMatchObject({
      continue: false,
      finding: { detector: 'no-progress' },
    });
  });

  test('L7 falling back is no progress either', () => {
    const event = lastEvent({ passes: ['types', 'lint', 'unit', 'slow'] }, { passes: ['types'] });
    expect(first.isProgressing(event)).toBe(true);
    expect(progressOf(event, 0.1).isProgress).toBe(false);
  });

  test('L11 three failures in a row are no convergence: each may fail less', () => {
    const history = [
      { passes: [] },
      { passes: ['types'] },
      { passes: ['types', 'lint'] },
      { passes: ['types', 'lint', 'unit'] },
    ];
    expect(first.hasConverged(lastEvent(...history))).toBe(true);
    expect(converged(lastEvent(...history), 3, 0.95)).toBeNull();
    expect(heard(new RalphStrategy(2, 10), ...history)).toHaveLength(4);
  });

  test('L11 nor are the same failures, while the agent tries something else', () => {
    const history = ['rewrote the parser', 'added a cache', 'looked at the tests', 'asked for types'].map((output) => ({
      ...stuck,
      output,
    }));
    expect(first.hasConverged(lastEvent(...history))).toBe(true);
    expect(heard(new RalphStrategy(2, 10), ...history).map((decision) => decision.continue)).toEqual([
      true,
      true,
      true,
      true,
    ]);
  });

  test('L11 a minimum above the maximum ran past it', () => {
    const event = iteration({ iteration: 2 });
    expect(first.goesOn(event, 5, 3)).toBe(true);
    expect(new RalphStrategy(5, 3).decide(event)).toMatchObject({ continue: false, action: 'timeout' });
  });

  test('L11 who says so in the last iteration is done, too', () => {
    const event = iteration({ iteration: 9, agentOutput: 'TASK_COMPLETE' });
    expect(first.actionAtTheEnd(event, 10)).toBe('timeout');
    expect(new RalphStrategy(2, 10).decide(event).action).toBe('complete');
  });

  test.each(['It is not DONE', 'ABANDONED', 'You asked me to say "TASK_COMPLETE" when finished.', 'see `DONE`'])(
    'L11 a word that merely occurs is no signal: %s',
    (output) => {
      expect(first.saysDone(output)).toBe(true);
      expect(completionSignal(output)).toBeNull();
    },
  );

  test('L8 what the agent says overrides no failed check', () => {
    const told = { ...stuck, output: 'TASK_COMPLETE' };
    expect(first.isComplete(lastEvent(told))).toBe(true);
    expect(lastWord(new HybridStrategy(3, 2), told)).toMatchObject({ continue: true });
    expect(lastWord(new RalphStrategy(1, 10), told)).toMatchObject({ continue: true });
  });

  test('L16 feedback kept the start of what a check printed, and lost its end', () => {
    const output = `${'compiling…\n'.repeat(100)}expected 2, got 3`;
    const event = verified(report({ L0: [check('unit', false, output)] }));
    expect(first.checkFeedback(output)).not.toContain('expected 2, got 3');
    expect(feedbackOn(event)).toContain('expected 2, got 3');
  });

  test('L16 feedback of hybrid and ralph said nothing of the checks', () => {
    const event = verified(report({ L0: [check('unit', false, 'expected 2, got 3')] }));
    expect(first.feedback()).not.toContain('unit');
    for (const strategy of [new HybridStrategy(3, 2), new RalphStrategy(2, 10)]) {
      expect(strategy.decide(event).feedback).toContain('L0/unit: expected 2, got 3');
    }
  });

  test('L14 an unknown mode became fixed without a message', () => {
    expect(first.strategyFor('hybird')).toBe('fixed');
    expect(builtInStrategies().create({ name: 'hybird', config: {} })).toMatchObject({
      kind: 'refused',
      faults: [{ suggestion: 'hybrid' }],
    });
  });

  test('L7 passing checks still end every one of them at once', () => {
    for (const strategy of [new HybridStrategy(3, 2), new RalphStrategy(2, 10)]) {
      expect(lastWord(strategy, { passes: ALL_CHECKS })).toMatchObject({
        continue: false,
        action: 'complete',
        reason: 'verification passed',
      });
    }
  });
});
