import { describe, expect, test } from 'vitest';
import { attemptOf } from '../../src/strategies/strategy.ts';
import { contentHash, measure, reportOf } from '../../src/strategies/report.ts';
import { summaryOf } from '../../src/strategies/iteration-summary.ts';
import { agent, check, failing, iteration, report, verified } from './iteration.ts';

const partly = report({
  L0: [check('lint', true), check('types', true)],
  L1: [check('unit', true), check('slow', false, 'why')],
});

describe('L2 what a strategy is told', () => {
  test('L16 a recorded verification becomes a report by level', () => {
    const checks = [check('lint', true)];
    const recorded = { passed: true, workspace: 'aaaa', levels: [{ level: 'L1' as const, passed: true, checks }] };
    expect(reportOf(recorded)).toEqual({ overall: { passed: true }, levels: { L1: { passed: true, checks } } });
  });

  test('L2 progress is measured against all configured checks, run or not', () =>
    expect(measure(partly, 6)).toEqual({
      highestLevel: 'L0',
      checksPassed: 3,
      checksTotal: 6,
      failingChecks: ['L1/slow'],
      failingTests: [],
      testsFailed: 0,
    }));

  test('L2 L16 tests that failed are named with their check, so that iterations can be compared', () => {
    const tests = failing('sums > subtracts', 'parse');
    const result = report({ L1: [check('lint', false), { ...check('unit', false), tests }] });
    expect(measure(result, 2)).toMatchObject({
      failingTests: ['L1/unit: sums > subtracts', 'L1/unit: parse'],
      testsFailed: 2,
    });
    const many = failing(...Array.from({ length: 150 }, (_, index) => `case ${index}`));
    const { failingTests, testsFailed } = measure(report({ L1: [{ ...check('unit', false), tests: many }] }), 1);
    expect([failingTests.length, testsFailed]).toEqual([100, 150]);
  });

  test('L2 the highest level is the last that passed', () => {
    const passing = report({ L2: [check('e2e', true)], L0: [check('lint', true)] });
    expect(measure(passing, 2).highestLevel).toBe('L2');
    expect(measure(report({ L0: [check('lint', false)] }), 1).highestLevel).toBeNull();
    const nothing = {
      highestLevel: null,
      checksPassed: 0,
      checksTotal: 2,
      failingChecks: [],
      failingTests: [],
      testsFailed: 0,
    };
    expect(measure(null, 2)).toEqual(nothing);
  });

  test('L2 an attempt that was a run of its own succeeded when that run did', () => {
    const spend = { inputTokens: 70, outputTokens: 30, toolCalls: 2, steps: 3 };
    const settled = { child: 'run-2', answer: 'done', spend };
    const success = { ending: 'success', verified: null, partial: false } as const;
    const budget = { ending: 'budget', limit: { name: 'tokens', used: 9, limit: 9 } } as const;
    expect(attemptOf({ ...settled, outcome: success })).toEqual(agent(success));
    expect(attemptOf({ ...settled, outcome: budget })).toEqual(agent(budget));
  });

  test('L2 L20 a summary keeps the measures and the metadata of the decision, and its own duration', () => {
    const event = verified(partly, { iteration: 1, elapsedMs: 9_999 });
    expect(
      summaryOf(event, { durationMs: 7, checksTotal: 4, metadata: { bonusUsed: 1 }, workspaceRef: 'refs/1' }),
    ).toEqual({
      iteration: 1,
      agentSuccess: true,
      verificationPassed: false,
      durationMs: 7,
      tokensUsed: 100,
      output: 'I changed the parser.',
      contentHash: contentHash(partly, 'aaaa'),
      workspaceHash: 'aaaa',
      workspaceRef: 'refs/1',
      highestLevel: 'L0',
      checksPassed: 3,
      checksTotal: 4,
      failingChecks: ['L1/slow'],
      failingTests: [],
      testsFailed: 0,
      metadata: { bonusUsed: 1 },
    });
  });

  test('L2 uncounted tokens are unknown, not zero', () => {
    const event = iteration({ agentResult: { ...agent(null, 0), tokensUsed: null } });
    expect(
      summaryOf(event, { durationMs: 1, checksTotal: 0, metadata: null, workspaceRef: null }).tokensUsed,
    ).toBeNull();
  });
});

describe('L9 the content hash', () => {
  const hash = contentHash(partly, 'aaaa');

  test('L9 is sixteen hex characters', () => expect(hash).toMatch(/^[0-9a-f]{16}$/));

  test('L9 is blind to durations and output', () => {
    const again = report({
      L0: [{ ...check('lint', true, 'took 3 ms'), durationMs: 99 }, check('types', true)],
      L1: [check('unit', true), check('slow', false, 'another seed')],
    });
    expect(contentHash(again, 'aaaa')).toBe(hash);
  });

  test('L9 sees the workspace, each result, each name and each level', () => {
    const others = [
      contentHash(partly, 'bbbb'),
      contentHash(partly, null),
      contentHash(null, 'aaaa'),
      contentHash(
        { ...partly, levels: { ...partly.levels, L1: { passed: true, checks: [check('unit', true)] } } },
        'aaaa',
      ),
      contentHash(report({ L0: [check('lint', false), check('types', true)], L1: [] }), 'aaaa'),
      contentHash(report({ L0: [check('lint', true)] }), 'aaaa'),
      contentHash(report({ L1: [check('lint', true)] }), 'aaaa'),
      contentHash(report({ L1: [check('lin', true)] }), 'aaaa'),
    ];
    expect(new Set([hash, ...others]).size).toBe(others.length + 1);
  });
});
