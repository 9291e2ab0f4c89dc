import { describe, expect, test } from 'vitest';
import { LoopDecision } from '../../src/strategies/loop-decision.ts';
import { RalphConfig, RalphStrategy, type RalphOptions } from '../../src/strategies/ralph.ts';
import { isPure } from '../../src/strategies/strategy.ts';
import { fc } from '../support/fast-check.ts';
import { iteration } from './iteration.ts';
import { ALL_CHECKS, heard, lastWord, type Told } from './told.ts';

const ralph = (min = 2, max: number | null = 10, options?: RalphOptions) =>
  new RalphStrategy(min, max, 0.95, 3, options);
const stuck: Told = { passes: ['types', 'lint', 'unit'] };
const done: Told = { output: 'Everything works. TASK_COMPLETE' };
const WORDS = ['alpha', 'beta', 'gamma', 'delta', 'epsilon', 'zeta', 'eta', 'theta', 'iota', 'kappa', 'lambda', 'mu'];
/** Answers that have nothing to do with each other. */
const different = (count: number, told: Told = {}): Told[] =>
  WORDS.slice(0, count).map((output) => ({ ...told, output }));
/** Answers of a hundred words that differ in the last few. */
const nearly = (changed: number, told: Told = {}): Told[] =>
  ['a', 'b', 'c'].map((mark) => ({
    ...told,
    output: Array.from({ length: 100 }, (_, index) =>
      index < 100 - changed ? `word${index}` : `${mark}${index}`,
    ).join(' '),
  }));

describe('L11 until the agent says that it is done', () => {
  test('L11 it goes on, and stops with the signal', () => {
    const decisions = heard(ralph(), ...different(3), done);
    expect(decisions.map((decision) => decision.continue)).toEqual([true, true, true, false]);
    expect(decisions.at(-1)).toMatchObject({
      action: 'complete',
      reason: 'the agent said TASK_COMPLETE',
      metadata: { signal: 'TASK_COMPLETE' },
    });
  });

  test('L11 the minimum delays signals, never verified success', () => {
    expect(heard(ralph(3), done, done, done).map((decision) => decision.continue)).toEqual([true, true, false]);
    expect(heard(ralph(1), done)).toMatchObject([{ continue: false }]);
    expect(heard(ralph(3), { passes: ALL_CHECKS })).toMatchObject([
      { continue: false, action: 'complete', reason: 'verification passed' },
    ]);
  });

  test('L11 a minimum above the maximum counts as the maximum', () => {
    expect(heard(ralph(9, 3), ...different(9))).toHaveLength(3);
    expect(heard(ralph(9, 3), ...different(2), done).at(-1)).toMatchObject({ action: 'complete' });
  });

  test('L11 the maximum ends it, unless the run alone has one', () => {
    expect(heard(ralph(2, 4), ...different(9)).at(-1)).toMatchObject({
      action: 'timeout',
      reason: 'iteration 4/4: no iteration is left',
    });
    expect(heard(ralph(2, null), ...different(12))).toHaveLength(12);
  });

  test('L11 a signal overrides no failed check, and is no word of an attempt that failed', () => {
    expect(lastWord(ralph(1), { ...stuck, ...done })).toMatchObject({
      continue: true,
      reason: 'iteration 1/10: the agent said TASK_COMPLETE, but checks fail',
    });
    expect(lastWord(ralph(1), { ...done, agentSuccess: false })).toMatchObject({
      continue: true,
      metadata: { signal: null },
    });
  });

  test('L11 its signals can be others, and the agent is told the first', () => {
    const own = ralph(1, 10, { completionSignals: ['SHIPPED', 'OUT'] });
    expect(lastWord(own, { output: 'SHIPPED' })).toMatchObject({ action: 'complete' });
    expect(lastWord(own, done)).toMatchObject({ continue: true });
    expect(lastWord(own, {}).feedback).toContain('say SHIPPED on a line of its own');
    expect(lastWord(ralph(1, 10, { completionSignals: [] }), done)).toMatchObject({ continue: true });
  });
});

describe('L11 convergence', () => {
  test('L11 the same failures and nearly the same answers end it, with the iterations that show it', () => {
    const decisions = heard(ralph(), ...different(1, stuck), ...nearly(2, stuck));
    expect(decisions.at(-1)).toMatchObject({
      continue: false,
      action: 'fail',
      metadata: { converged: true },
      finding: { detector: 'convergence', iterations: [1, 2, 3] },
    });
  });

  test('L11 an unchecked iteration has not failed', () => {
    const message = (...iterations: ReturnType<typeof nearly>) =>
      heard(new RalphStrategy(2, 10, 0.9, 3), ...iterations).at(-1)?.finding?.message;
    expect(message(...nearly(5, stuck))).toBe(
      'the last 3 iterations fail in the same way, and their answers hardly differ',
    );
    expect(message(...nearly(5))).toBe('the last 3 iterations were not checked, and their answers hardly differ');
  });

  test('L11 equal failures alone do not, and neither do equal answers', () => {
    expect(lastWord(ralph(), ...different(3, stuck))).toMatchObject({ continue: true });
    const [one, other, last] = nearly(2);
    const failsLess = [
      { ...one, passes: [] },
      { ...other, passes: ['types'] },
      { ...last, passes: ['types', 'lint'] },
    ];
    expect(lastWord(ralph(), ...failsLess)).toMatchObject({ continue: true });
  });

  test('L11 the threshold and the window decide', () => {
    const with2 = (threshold: number, window: number) =>
      heard(new RalphStrategy(2, 10, threshold, window), ...nearly(5, stuck)).length;
    expect(lastWord(new RalphStrategy(2, 10, 0.95, 3), ...nearly(5, stuck)).continue).toBe(true);
    expect(lastWord(new RalphStrategy(2, 10, 0.9, 3), ...nearly(5, stuck)).continue).toBe(false);
    expect(with2(0.9, 2)).toBe(2);
    expect(lastWord(new RalphStrategy(2, 10, 0.9, 4), ...nearly(5, stuck)).continue).toBe(true);
  });

  test('L11 the minimum delays it', () =>
    expect(heard(ralph(5), ...nearly(0, stuck), ...nearly(0, stuck))).toHaveLength(5));
});

describe('L12 answers that say the same', () => {
  test('L12 three that are 0.98 alike end it, whatever the checks say', () => {
    const [one, other, last] = nearly(0);
    const differs = [
      { ...one, passes: [] },
      { ...other, passes: ['types'] },
      { ...last, passes: ['types', 'lint'] },
    ];
    expect(heard(ralph(), ...differs).at(-1)).toMatchObject({
      continue: false,
      action: 'fail',
      finding: { detector: 'similar-output', iterations: [0, 1, 2] },
      metadata: { loopCount: 1, similarity: 1 },
    });
    expect(lastWord(ralph(2, 10, { loopDetection: false }), ...differs)).toMatchObject({
      continue: true,
      metadata: { loopCount: 0 },
    });
  });

  test('L12 less alike, or only twice, they do not', () => {
    const differs = (told: readonly Told[]) =>
      told.map((one, index) => ({ ...one, passes: ['types', 'lint', 'unit'].slice(0, index) }));
    expect(lastWord(ralph(), ...differs(nearly(3))).continue).toBe(true);
    expect(lastWord(ralph(2, 10, { similarityThreshold: 0.9 }), ...differs(nearly(3))).continue).toBe(false);
    expect(lastWord(ralph(), ...differs(nearly(0).slice(0, 2))).continue).toBe(true);
    const [same] = nearly(0);
    expect(lastWord(ralph(), { ...same }, { output: 'something else' }, { ...same }).continue).toBe(true);
  });

  test('L12 empty answers are alike', () =>
    expect(heard(ralph(), { output: '' }, { output: '' }, { output: '' }).at(-1)).toMatchObject({ action: 'fail' }));

  test('L12 attempts that were cut short while the files went on changing are no circle', () => {
    const cut = { agentSuccess: false, output: '' };
    const window = new RalphStrategy(2, 10, 0.95, 9);
    expect(lastWord(window, cut, cut, cut)).toMatchObject({ continue: true });
    expect(heard(window, ...[cut, cut, cut].map((told) => ({ ...told, workspaceHash: 'a' }))).at(-1)).toMatchObject({
      action: 'fail',
    });
  });

  test('L12 L20 circles before the minimum are counted and not acted on', () => {
    const counts = heard(ralph(6), ...nearly(0), ...nearly(0)).map(({ metadata }) => metadata?.['loopCount']);
    expect(counts).toEqual([0, 0, 1, 2, 3, 4]);
  });
});

describe('L11 what it can be told', () => {
  test('L11 nothing is 2 to 10 iterations, 0.95 over 3, 0.98, the four signals, with verification', () =>
    expect(RalphConfig.parse({})).toEqual({
      minIterations: 2,
      convergenceThreshold: 0.95,
      windowSize: 3,
      loopDetection: true,
      similarityThreshold: 0.98,
      skipVerification: false,
      completionSignals: ['TASK_COMPLETE', 'TASK_COMPLETED', 'DONE', '[COMPLETE]'],
    }));

  test.each<[() => unknown, string]>([
    [() => ralph(-1), 'minIterations'],
    [() => ralph(0), 'minIterations'],
    [() => ralph(1.5), 'minIterations'],
    [() => ralph(2, 0), 'maxIterations'],
    [() => ralph(2, -3), 'maxIterations'],
    [() => ralph(2, 2.5), 'maxIterations'],
    [() => new RalphStrategy(2, 10, 1.5), 'convergenceThreshold'],
    [() => new RalphStrategy(2, 10, 0.9, 1), 'windowSize'],
    [() => new RalphStrategy(2, 10, 0.9, 2.5), 'windowSize'],
    [() => ralph(2, 10, { similarityThreshold: -0.1 }), 'similarityThreshold'],
    [() => ralph(2, 10, { completionSignals: [' '] }), 'completionSignals'],
  ])('L11 what makes no sense is refused with its name: %s', (make, field) =>
    expect(make).toThrow(new RegExp(`strategy ralph: ${field}`)),
  );

  test('L11 it says whether checks are to be run', () => {
    expect(ralph().skipsVerification).toBe(false);
    expect(ralph(2, 10, { skipVerification: true }).skipsVerification).toBe(true);
  });

  test('L1 it decides at once, and the promise says the same', async () => {
    expect(isPure(ralph())).toBe(true);
    expect(await ralph().onIterationComplete(iteration())).toEqual(ralph().decide(iteration()));
  });
});

const told = fc.record({
  agentSuccess: fc.boolean(),
  output: fc.constantFrom('TASK_COMPLETE', 'still at it', '', 'another thing'),
  workspaceHash: fc.constantFrom('a', 'b', null),
  passes: fc.option(fc.subarray([...ALL_CHECKS]), { nil: undefined }),
}) as fc.Arbitrary<Told>;

describe('L11 whatever happens', () => {
  const isVerified = (one: Told | undefined) => one?.agentSuccess && one.passes?.length === ALL_CHECKS.length;

  test('L11 it never ends before its minimum except by verified success, nor after its maximum', () =>
    fc.assert(
      fc.property(
        fc.array(told, { minLength: 9, maxLength: 9 }),
        fc.integer({ min: 1, max: 9 }),
        fc.integer({ min: 1, max: 9 }),
        (history, min, max) => {
          const decisions = heard(ralph(min, max), ...history);
          const last = history[decisions.length - 1];
          expect(decisions.length).toBeLessThanOrEqual(max);
          if (decisions.length < Math.min(min, max)) expect(isVerified(last)).toBe(true);
          for (const decision of decisions) expect(LoopDecision.parse(decision)).toEqual(decision);
        },
      ),
    ));

  test('L11 it completes over no failed check', () =>
    fc.assert(
      fc.property(fc.array(told, { minLength: 1, maxLength: 9 }), (history) => {
        const decisions = heard(ralph(1), ...history);
        const last = history[decisions.length - 1];
        if (last?.agentSuccess && last.passes && !isVerified(last))
          expect(decisions.at(-1)?.action).not.toBe('complete');
      }),
    ));
});
