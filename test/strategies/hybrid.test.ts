import { describe, expect, test } from 'vitest';
import { LoopDecision } from '../../src/strategies/loop-decision.ts';
import { HybridConfig, HybridStrategy, type HybridOptions } from '../../src/strategies/hybrid.ts';
import { isPure } from '../../src/strategies/strategy.ts';
import { fc } from '../support/fast-check.ts';
import { iteration } from './iteration.ts';
import { ALL_CHECKS, heard, lastWord, type Told } from './told.ts';

const hybrid = (base = 3, bonus = 2, threshold?: number, options?: HybridOptions) =>
  new HybridStrategy(base, bonus, threshold, options);
const stuck: Told = { passes: ['types', 'lint', 'unit'] };
const closer: Told = { passes: ['types', 'lint', 'unit', 'cases'] };
const closest: Told = { passes: ['types', 'lint', 'unit', 'cases', 'slow'] };
const same: Told = { ...stuck, workspaceHash: 'tree' };

describe('L7 base iterations, and bonus ones while there is progress', () => {
  test('L7 base iterations continue whatever they bring', () => {
    const decisions = heard(hybrid(3, 0), closer, stuck, { passes: [] });
    expect(decisions.map((decision) => decision.continue)).toEqual([true, true, false]);
    expect(decisions[0]).toMatchObject({ action: 'continue', reason: 'iteration 1/3: 1 of 3 base iterations' });
  });

  test('L7 bonus iterations want progress, and say how much there was', () => {
    const decisions = heard(hybrid(1, 3), stuck, closer, closer);
    expect(decisions.map(({ reason }) => reason)).toEqual([
      'iteration 1/4: progress was not measured, so a bonus iteration',
      'iteration 2/4: 33 % closer, so a bonus iteration',
      'no progress since iteration 2',
    ]);
    expect(decisions.map(({ metadata }) => metadata)).toMatchObject([
      { bonusUsed: 1, progress: null },
      { bonusUsed: 2, progress: 1 / 3 },
      { progress: 0 },
    ]);
    expect(decisions[2]).toMatchObject({ action: 'fail', finding: { detector: 'no-progress', iterations: [1, 2] } });
  });

  test('L7 the threshold decides', () => {
    expect(heard(hybrid(1, 3, 0.34), stuck, closer).at(-1)?.continue).toBe(false);
    expect(heard(hybrid(1, 3, 0.33), stuck, closer).at(-1)?.continue).toBe(true);
  });

  test('L7 no progress and all of it: the cap holds', () =>
    expect(heard(hybrid(1, 2), stuck, closer, closest).at(-1)).toMatchObject({
      continue: false,
      action: 'timeout',
      reason: 'iteration 3/3: no iteration is left',
    }));

  test('L7 a smaller cap of the run wins, a larger one gives nothing', () => {
    const more = Array.from({ length: 9 }, () => ({}));
    const options = { completionCriteria: [] };
    expect(heard(hybrid(3, 2, 0.1, { ...options, maxIterations: 2 }), ...more)).toHaveLength(2);
    expect(heard(hybrid(3, 2, 0.1, { ...options, maxIterations: 8 }), ...more)).toHaveLength(5);
    expect(heard(hybrid(3, 2, 0.1, { ...options, maxIterations: null }), ...more)).toHaveLength(5);
  });
});

describe('L8 completion criteria', () => {
  const only = (...completionCriteria: NonNullable<HybridOptions['completionCriteria']>) =>
    hybrid(3, 2, 0.1, { completionCriteria });
  const said = { output: 'All good. TASK_COMPLETE' };
  const passedCi = { ciStatus: { passed: true, output: '' } };

  test('L8 each of them completes, and the reason and the metadata name it', () => {
    const verdicts = [
      lastWord(only('verification_pass'), { passes: ALL_CHECKS }),
      lastWord(only('ci_pass'), passedCi),
      lastWord(only('no_changes'), { workspaceHash: 'a' }, { workspaceHash: 'a' }),
      lastWord(only('agent_signal'), said),
    ];
    expect(verdicts).toMatchObject([
      { action: 'complete', reason: 'verification passed', metadata: { criterion: 'verification_pass' } },
      { action: 'complete', reason: 'the CI passed', metadata: { criterion: 'ci_pass' } },
      {
        action: 'complete',
        reason: 'nothing changed since the iteration before',
        metadata: { criterion: 'no_changes' },
      },
      { action: 'complete', reason: 'the agent said TASK_COMPLETE', metadata: { criterion: 'agent_signal' } },
    ]);
  });

  test('L8 what is not configured completes nothing', () => {
    for (const told of [passedCi, said]) expect(lastWord(only('no_changes'), told).continue).toBe(true);
    expect(lastWord(only('agent_signal'), { workspaceHash: 'a' }, { workspaceHash: 'a' }).continue).toBe(true);
    expect(lastWord(only('ci_pass'), { ciStatus: { passed: false, output: '' } }).continue).toBe(true);
    expect(lastWord(only('agent_signal'), { output: 'DONE' }).continue).toBe(true);
  });

  test('L8 they are asked in the configured order', () => {
    const both = { ...said, ...passedCi };
    expect(lastWord(only('ci_pass', 'agent_signal'), both).metadata).toMatchObject({ criterion: 'ci_pass' });
    expect(lastWord(only('agent_signal', 'ci_pass'), both).metadata).toMatchObject({ criterion: 'agent_signal' });
  });

  test('L8 none of them speaks for a failed check, nor for an attempt that failed', () => {
    for (const told of [
      { ...stuck, ...said },
      { ...stuck, ...passedCi },
      { agentSuccess: false, ...said },
    ]) {
      expect(lastWord(hybrid(), told).continue).toBe(true);
    }
    expect(lastWord(hybrid(), same, same).continue).toBe(true);
    expect(
      lastWord(hybrid(), { agentSuccess: false, workspaceHash: 'a' }, { agentSuccess: false, workspaceHash: 'a' })
        .continue,
    ).toBe(true);
  });

  test('L8 passed checks must reach the level that is asked for', () => {
    const onlyTypes = (minVerificationLevel: HybridConfig['minVerificationLevel']) =>
      lastWord(hybrid(3, 2, 0.1, { minVerificationLevel }), { passes: ALL_CHECKS });
    expect(onlyTypes('L1')).toMatchObject({ action: 'complete', reason: 'verification passed' });
    expect(onlyTypes('L2')).toMatchObject({ continue: true });
  });

  test('L8 outside git nothing is known to be unchanged', () =>
    expect(lastWord(only('no_changes'), { workspaceHash: null }, { workspaceHash: null }).continue).toBe(true));

  test('L8 where its word counts, the agent is told which', () => {
    expect(lastWord(hybrid(), {}).feedback).toContain('say TASK_COMPLETE on a line of its own');
    expect(lastWord(only('no_changes'), {}).feedback).not.toContain('TASK_COMPLETE');
    expect(lastWord(hybrid(), stuck).feedback).not.toContain('TASK_COMPLETE');
  });
});

describe('L9 three times the same', () => {
  test('L9 the same files and results three times end the loop, with the iterations that show it', () => {
    const decisions = heard(hybrid(5, 5), closer, same, same, same);
    expect(decisions).toHaveLength(4);
    expect(decisions.at(-1)).toMatchObject({
      continue: false,
      action: 'fail',
      finding: { detector: 'content-hash', iterations: [1, 2, 3] },
    });
  });

  test('L9 twice is no circle, nor is the same result of other files, or another result of the same', () => {
    expect(heard(hybrid(5, 5), same, same, stuck, same, same)).toHaveLength(5);
    expect(heard(hybrid(5, 5), stuck, stuck, stuck, stuck)).toHaveLength(4);
    expect(heard(hybrid(5, 5), same, { ...closer, workspaceHash: 'tree' }, same, same)).toHaveLength(4);
  });

  test('L9 outside git nothing is known to be the same', () => {
    const unknown = { ...stuck, workspaceHash: null };
    expect(heard(hybrid(5, 5), unknown, unknown, unknown, unknown)).toHaveLength(4);
  });

  test('L9 the last five hashes and how often it went in circles are kept in the metadata', () => {
    const decisions = heard(hybrid(9, 0), stuck, closer, stuck, closer, stuck, closer, same, same, same);
    const hashes = decisions.map(({ metadata }) => metadata?.['contentHashes']);
    expect(hashes[1]).toHaveLength(2);
    expect(hashes[7]).toHaveLength(5);
    expect(hashes[8]).toEqual([...(hashes[7] as string[]).slice(1), (hashes[7] as string[]).at(-1)]);
    expect(hashes[8]).toEqual(Array.from({ length: 5 }, () => expect.stringMatching(/^[0-9a-f]{16}$/)));
    expect(decisions.map(({ metadata }) => metadata?.['loopCount'])).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 1]);
  });

  test('L9 L20 the count goes on from what the iteration before was given', () => {
    const [summary] = heardSummaries(4);
    expect(
      hybrid(9, 0).decide(iteration({ iteration: 1, previousIterations: summary ? [summary] : [] })).metadata,
    ).toMatchObject({ loopCount: 4 });
  });
});

const heardSummaries = (loopCount: number) => [
  {
    iteration: 0,
    agentSuccess: true,
    verificationPassed: null,
    durationMs: 1,
    tokensUsed: 1,
    output: '',
    contentHash: 'other',
    workspaceHash: 'b',
    workspaceRef: null,
    highestLevel: null,
    checksPassed: 0,
    checksTotal: 0,
    failingChecks: [],
    failingTests: [],
    testsFailed: 0,
    metadata: { loopCount },
  },
];

describe('L7 what it can be told', () => {
  test('L7 nothing is base 3, bonus 2, threshold 0.1', () =>
    expect(HybridConfig.parse({})).toEqual({
      baseIterations: 3,
      maxBonusIterations: 2,
      progressThreshold: 0.1,
      minVerificationLevel: 'L0',
      acceptPartialAfter: null,
      completionCriteria: ['verification_pass', 'ci_pass', 'no_changes', 'agent_signal'],
    }));

  test.each<[() => unknown, string]>([
    [() => hybrid(-1, 2), 'baseIterations'],
    [() => hybrid(0, 2), 'baseIterations'],
    [() => hybrid(1.5, 2), 'baseIterations'],
    [() => hybrid(3, -1), 'maxBonusIterations'],
    [() => hybrid(3, 0.5), 'maxBonusIterations'],
    [() => hybrid(3, 2, 1.1), 'progressThreshold'],
    [() => hybrid(3, 2, -0.1), 'progressThreshold'],
    [() => hybrid(3, 2, Number.NaN), 'progressThreshold'],
    [() => hybrid(3, 2, 0.1, { acceptPartialAfter: 0 }), 'acceptPartialAfter'],
    [() => hybrid(3, 2, 0.1, { completionCriteria: ['sure' as 'ci_pass'] }), 'completionCriteria'],
    [() => hybrid(3, 2, 0.1, { minVerificationLevel: 'L4' as 'L3' }), 'minVerificationLevel'],
  ])('L7 what makes no sense is refused with its name: %s', (make, field) =>
    expect(make).toThrow(new RegExp(`strategy hybrid: ${field}`)),
  );

  test('L1 it decides at once, and the promise says the same', async () => {
    expect(isPure(hybrid())).toBe(true);
    expect(await hybrid().onIterationComplete(iteration())).toEqual(hybrid().decide(iteration()));
  });
});

const told = fc.record({
  agentSuccess: fc.boolean(),
  output: fc.constantFrom('TASK_COMPLETE', 'still at it', ''),
  workspaceHash: fc.constantFrom('a', 'b', null),
  passes: fc.option(fc.subarray([...ALL_CHECKS]), { nil: undefined }),
  ciStatus: fc.constantFrom(null, { passed: true, output: '' }),
}) as fc.Arbitrary<Told>;

describe('L7 L8 whatever happens', () => {
  test('L7 it never goes past base and bonus, and everything it says is a decision', () =>
    fc.assert(
      fc.property(
        fc.array(told, { minLength: 12, maxLength: 12 }),
        fc.integer({ min: 1, max: 5 }),
        fc.nat({ max: 5 }),
        (history, base, bonus) => {
          const decisions = heard(hybrid(base, bonus), ...history);
          expect(decisions.length).toBeLessThanOrEqual(base + bonus);
          expect(decisions.at(-1)?.continue).toBe(false);
          for (const decision of decisions) expect(LoopDecision.parse(decision)).toEqual(decision);
        },
      ),
    ));

  test('L8 it completes over a failed check only where a partial result was agreed to', () =>
    fc.assert(
      fc.property(
        fc.array(told, { minLength: 1, maxLength: 6 }),
        fc.option(fc.integer({ min: 1, max: 6 })),
        (history, acceptPartialAfter) => {
          const decisions = heard(hybrid(3, 2, 0.1, { acceptPartialAfter }), ...history);
          const last = history[decisions.length - 1];
          const failsChecks = last?.agentSuccess && last.passes && last.passes.length < ALL_CHECKS.length;
          const decision = decisions.at(-1);
          if (failsChecks && decision?.action === 'complete') expect(decision.partial).toBe(true);
          if (decision?.partial) expect(decisions.length).toBeGreaterThanOrEqual(acceptPartialAfter ?? Infinity);
        },
      ),
    ));
});
