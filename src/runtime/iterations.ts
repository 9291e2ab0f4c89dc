import type { EventOf } from '../../machines/events.ts';
import type { IterationContext } from '../../machines/iteration.machine.ts';
import { type AgentResult, attemptOf } from '../strategies/attempt.ts';
import { reportOf, type VerificationReport } from '../strategies/report.ts';
import type { CiStatus, IterationCompleteEvent, IterationSummary } from '../strategies/strategy.ts';
import { summaryOf } from '../strategies/summary.ts';
import type { Fact } from './cast.ts';

interface Current {
  readonly iteration: number;
  readonly startedAt: string;
  readonly result: AgentResult | null;
  readonly output: string;
  readonly workspace: string | null;
  readonly report: VerificationReport | null;
  readonly ci: CiStatus | null;
}

/** An attempt that was cut short: nobody knows more of it than that it did not succeed. */
const LOST: AgentResult = { success: false, exitCode: null, outcome: null, tokensUsed: null };

/** What a strategy is told about each iteration, kept by watching the facts of a run go by. */
export class Iterations {
  readonly #runId: string;
  readonly #checksTotal: number;
  readonly #previous: IterationSummary[] = [];
  #current: Current | null = null;

  constructor(runId: string, checksTotal: number) {
    this.#runId = runId;
    this.#checksTotal = checksTotal;
  }

  observe(fact: Fact): void {
    if (fact.type === 'decision.made') this.#close(fact);
    else this.#current = next(this.#current, fact);
  }

  /** The iteration that is over, as its strategy sees it. Null before the first. */
  complete(context: IterationContext, at: string): IterationCompleteEvent | null {
    const worked = this.#current && workOf(this.#current);
    if (!worked) return null;
    return {
      ...worked,
      totalIterations: context.iterations,
      elapsedMs: Math.max(0, Date.parse(at) - Date.parse(context.clockStart)),
      previousIterations: [...this.#previous],
      maxIterations: context.limits.maxIterations,
      maxTimeMs: context.limits.maxTimeMs,
      runId: this.#runId,
      workOrderId: this.#runId,
    };
  }

  #close({ at, payload }: Extract<Fact, { type: 'decision.made' }>): void {
    const current = this.#current;
    const worked = current && workOf(current);
    this.#current = null;
    if (!worked) return;
    const durationMs = Math.max(0, Date.parse(at) - Date.parse(current.startedAt));
    const metadata = payload.strategy?.metadata ?? null;
    this.#previous.push(summaryOf(worked, { durationMs, checksTotal: this.#checksTotal, metadata }));
  }
}

function workOf({ iteration, result, output, workspace, report, ci }: Current) {
  if (!result) return null;
  return {
    iteration,
    agentResult: result,
    agentSuccess: result.success,
    agentOutput: output,
    verificationReport: report,
    verificationPassed: report?.overall.passed ?? null,
    workspaceHash: workspace,
    ciStatus: ci,
  };
}

function next(current: Current | null, event: Fact): Current | null {
  if (event.type === 'iteration.started') {
    const { iteration } = event.payload;
    return { iteration, startedAt: event.at, result: null, output: '', workspace: null, report: null, ci: null };
  }
  if (!current) return null;
  switch (event.type) {
    case 'child.settled':
      return { ...current, result: attemptOf(event.payload), output: event.payload.answer };
    case 'effect.interrupted':
      return event.payload.actor === 'agent' ? { ...current, result: LOST } : current;
    case 'workspace.captured':
      return { ...current, workspace: event.payload.hash };
    case 'verification.completed':
      return verified(current, event.payload);
    default:
      return current;
  }
}

/** What was said of another workspace says nothing of this one. */
function verified(current: Current, payload: EventOf<'verification.completed'>['payload']): Current {
  if (payload.workspace !== current.workspace) return current;
  const { levels, ci } = payload;
  const report = levels.length > 0 ? reportOf(payload) : null;
  return { ...current, report, ci: ci ? { passed: ci.passed, output: ci.output } : null };
}
