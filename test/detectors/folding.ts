import type { LoopEvent } from '../../machines/events.ts';
import type { Finding, Outcome } from '../../machines/outcome.ts';
import type { Detector } from '../../src/detectors/detector.ts';
import * as has from '../support/facts.ts';

/** What a detector finds at each of these facts, the first being version 1 of the run `run`. */
export function findingsAt<State>(detector: Detector<State>, facts: readonly LoopEvent[]): (Finding | null)[] {
  let state = detector.init();
  return facts.map((event, index) => {
    const noticed = detector.step(state, { ...event, run: 'run', version: index + 1 });
    state = noticed.state;
    return noticed.finding ?? null;
  });
}

/** What it finds at all, in order. */
export const foundIn = <State>(detector: Detector<State>, facts: readonly LoopEvent[]): Finding[] =>
  findingsAt(detector, facts).filter((finding) => finding !== null);

export interface Attempt {
  readonly answer?: string;
  readonly outcome?: Outcome;
  readonly tree?: string | null;
  /** What the only check printed where it failed; `null` where it passed. Nothing: it was not asked. */
  readonly prints?: string | null;
  readonly testsFailed?: number;
}

/** The facts of one iteration, its decision included. */
export function iterationOf({
  answer = 'done',
  outcome = has.outcomeOf('success'),
  tree = 'tree-1',
  prints,
  testsFailed,
}: Attempt): LoopEvent[] {
  const spend = { inputTokens: 1, outputTokens: 1, toolCalls: 0, steps: 1 };
  const captured = has.workspaceCaptured(tree);
  const facts: LoopEvent[] = [
    has.iterationStarted(0),
    { type: 'child.settled', payload: { child: 'child', outcome, answer, spend } },
    captured,
  ];
  if (prints !== undefined) {
    const passed = prints === null;
    const tests =
      testsFailed === undefined
        ? {}
        : { tests: { format: 'tap' as const, passed: 1, failed: testsFailed, skipped: 0, failing: [] } };
    const check = { name: 'unit', passed, output: prints ?? '', exitCode: passed ? 0 : 1, durationMs: 3, ...tests };
    facts.push({
      type: 'verification.completed',
      payload: { passed, workspace: tree, levels: [{ level: 'L1', passed, checks: [check] }] },
    });
  }
  return [...facts, has.decidedToGoOn];
}

export const loopOf = (...attempts: readonly Attempt[]): LoopEvent[] => [
  has.loopStarted({ checks: attempts.some(({ prints }) => prints !== undefined) }),
  ...attempts.flatMap(iterationOf),
];
