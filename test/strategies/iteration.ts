import type { CheckResult, Level, TestReport } from '../../machines/events.ts';
import type { Outcome } from '../../machines/outcome.ts';
import type { AgentResult, IterationCompleteEvent } from '../../src/strategies/strategy.ts';
import type { VerificationReport } from '../../src/strategies/report.ts';

export const check = (name: string, passed: boolean, output = ''): CheckResult => ({
  name,
  passed,
  output,
  exitCode: passed ? 0 : 1,
  durationMs: 5,
});

/** A report in which these tests failed, and two passed. */
export const failing = (...names: readonly string[]): TestReport => ({
  format: 'junit',
  passed: 2,
  failed: names.length,
  skipped: 1,
  failing: names.slice(0, 100).map((name) => ({ name, message: `${name} is wrong` })),
});

/** A report of checks by level; a level passed when all its checks did. */
export function report(levels: { readonly [level in Level]?: readonly CheckResult[] }): VerificationReport {
  const results = Object.entries(levels).map(
    ([level, checks]) => [level, { passed: checks.every(({ passed }) => passed), checks }] as const,
  );
  return { overall: { passed: results.every(([, { passed }]) => passed) }, levels: Object.fromEntries(results) };
}

export const agent = (outcome: Outcome | null, exitCode: number | null = null): AgentResult => ({
  success: outcome === null ? exitCode === 0 : outcome.ending === 'success',
  exitCode,
  outcome,
  tokensUsed: { input: 70, output: 30, total: 100 },
});

const answered: Outcome = { ending: 'success', verified: null, partial: false };

/** The first iteration of a run without checks, its agent successful, with whatever a test changes. */
export function iteration(changes: Partial<IterationCompleteEvent> = {}): IterationCompleteEvent {
  return {
    iteration: 0,
    totalIterations: (changes.iteration ?? 0) + 1,
    elapsedMs: 5_000,
    agentResult: agent(answered),
    agentSuccess: true,
    agentOutput: 'I changed the parser.',
    verificationReport: null,
    verificationPassed: null,
    workspaceHash: 'aaaa',
    ciStatus: null,
    previousIterations: [],
    maxIterations: 3,
    maxTimeMs: null,
    runId: 'run-1',
    workOrderId: 'run-1',
    ...changes,
  };
}

/** An iteration whose checks said this. */
export function verified(
  result: VerificationReport,
  changes: Partial<IterationCompleteEvent> = {},
): IterationCompleteEvent {
  return iteration({ verificationReport: result, verificationPassed: result.overall.passed, ...changes });
}

/** An iteration whose agent did not get to its end. */
export const failed = (result: AgentResult): IterationCompleteEvent =>
  iteration({ agentResult: result, agentSuccess: false });
