import type { CheckResult, TestReport } from '../../machines/events.ts';
import type { LoopDecision } from '../../src/strategies/loop-decision.ts';
import type { VerificationReport } from '../../src/strategies/report.ts';
import type { IterationCompleteEvent, IterationSummary, PureStrategy } from '../../src/strategies/strategy.ts';
import { summaryOf } from '../../src/strategies/iteration-summary.ts';
import { check, iteration, report } from './iteration.ts';

/** What one iteration was like, in as few words as a test needs. */
export interface Told extends Partial<
  Pick<IterationCompleteEvent, 'agentSuccess' | 'ciStatus' | 'workspaceHash' | 'workspaceAtStart'>
> {
  readonly output?: string;
  /**
   * Checks that pass at L0 and at L1; all else of `CHECKS` fails, and L1 runs only where L0 passed. Absent: not
   * verified.
   */
  readonly passes?: readonly string[];
  /** Tests that the first failing check reports. */
  readonly testsFailed?: number;
}

const CHECKS = { L0: ['types', 'lint'], L1: ['unit', 'cases', 'slow', 'docs'] } as const;
const CHECKS_TOTAL = CHECKS.L0.length + CHECKS.L1.length;
export const ALL_CHECKS: readonly string[] = [...CHECKS.L0, ...CHECKS.L1];

function reportOn({ passes, testsFailed = 0 }: Told): VerificationReport | null {
  if (!passes) return null;
  let isFirst = true;
  const result = (name: string): CheckResult => {
    const passed = passes.includes(name);
    const tests: TestReport = { format: 'tap', passed: 9, failed: testsFailed, skipped: 0, failing: [] };
    const reports = !passed && isFirst && testsFailed > 0;
    if (!passed) isFirst = false;
    return { ...check(name, passed), ...(reports ? { tests } : {}) };
  };
  const first = CHECKS.L0.map(result);
  return report(first.every(({ passed }) => passed) ? { L0: first, L1: CHECKS.L1.map(result) } : { L0: first });
}

function eventOf(told: Told, index: number, previousIterations: readonly IterationSummary[]): IterationCompleteEvent {
  const {
    agentSuccess = true,
    output = `attempt ${index} is over`,
    ciStatus = null,
    workspaceHash = `tree-${index}`,
    workspaceAtStart = null,
  } = told;
  const verificationReport = agentSuccess ? reportOn(told) : null;
  return iteration({
    iteration: index,
    agentSuccess,
    agentOutput: output,
    ciStatus,
    workspaceHash,
    workspaceAtStart,
    verificationReport,
    verificationPassed: verificationReport?.overall.passed ?? null,
    previousIterations,
    maxIterations: null,
  });
}

/** What a strategy says to these iterations, one after the other, up to the first after which it stops. */
export function heard(strategy: PureStrategy, ...history: readonly Told[]): LoopDecision[] {
  const decisions: LoopDecision[] = [];
  const previous: IterationSummary[] = [];
  for (const [index, told] of history.entries()) {
    const event = eventOf(told, index, [...previous]);
    const decision = strategy.decide(event);
    decisions.push(decision);
    if (!decision.continue) break;
    const metadata = decision.metadata ?? null;
    previous.push(
      summaryOf(event, { durationMs: 1000, checksTotal: CHECKS_TOTAL, metadata, workspaceRef: `refs/${index}` }),
    );
  }
  return decisions;
}

/** The last thing it says to them. Throws where it stops before all of them were told. */
export function lastWord(strategy: PureStrategy, ...history: readonly Told[]): LoopDecision {
  const decisions = heard(strategy, ...history);
  const last = decisions.at(-1);
  if (!last || decisions.length < history.length) throw new Error(`stopped after ${decisions.length}: ${last?.reason}`);
  return last;
}

/** The event of the last of these iterations, with summaries of all before it, whatever the strategy decides. */
export function lastEvent(...history: readonly Told[]): IterationCompleteEvent {
  const previous: IterationSummary[] = [];
  let event = eventOf(history[0] ?? {}, 0, []);
  for (const [index, told] of history.entries()) {
    event = eventOf(told, index, [...previous]);
    previous.push(
      summaryOf(event, { durationMs: 1000, checksTotal: CHECKS_TOTAL, metadata: null, workspaceRef: `refs/${index}` }),
    );
  }
  return event;
}
