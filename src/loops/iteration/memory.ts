import type { EventOf } from '../../../machines/events.ts';
import type { IterationContext } from '../../../machines/iteration.machine.ts';
import type { Accepted, Outcome, ReachedLimit } from '../../../machines/outcome.ts';
import type { Check, RunSettings } from '../../../machines/settings.ts';
import {
  type AgentResult,
  attemptOf,
  type CiStatus,
  type IterationCompleteEvent,
  type IterationSummary,
} from '../../strategies/strategy.ts';
import { acceptedOf, bestOf } from '../../strategies/compare-progress.ts';
import { reportOf, type VerificationReport } from '../../strategies/report.ts';
import { type SummaryFacts, summaryOf } from '../../strategies/iteration-summary.ts';
import { countOfSteps } from '../../evidence/steps/with-steps.ts';
import type { Fact } from '../../kernel/effect-handlers.ts';
import type { LoopMemory } from '../../kernel/loop-memory.ts';

interface Current {
  readonly iteration: number;
  readonly startedAt: string;
  readonly result: AgentResult | null;
  readonly output: string;
  readonly workspace: string | null;
  readonly ref: string | null;
  readonly report: VerificationReport | null;
  readonly ci: CiStatus | null;
}

/** The checks of the run. */
type Configured = readonly Pick<Check, 'level'>[];

/** The part of the settings by which iterations are measured. */
export type Measured = { readonly checks: Configured } & Pick<RunSettings, 'proof' | 'isolation'>;

/** The tree hash of the workspace as the run found it; null where it was not recorded. */
const startOf = ({ proof, isolation }: Measured): string | null =>
  proof?.start ?? proof?.base ?? isolation?.base ?? null;

/** The result of an interrupted attempt: all that is known is that it did not succeed. */
const LOST: AgentResult = { success: false, exitCode: null, outcome: null, tokensUsed: null };

/** The iterations of a run as its strategy sees them, folded from the facts of the run. */
export class IterationMemory implements LoopMemory {
  readonly #runId: string;
  readonly #checks: Configured;
  readonly #start: string | null;
  /** With each step of a check. */
  #checksTotal: number;
  readonly #previous: IterationSummary[] = [];
  /** For each iteration, the newest version that shows its result. */
  readonly #shownBy = new Map<number, number>();
  #current: Current | null = null;
  /** Since the newest attempt began. */
  #isContinued = false;

  constructor(runId: string, settings: Measured) {
    this.#runId = runId;
    this.#checks = settings.checks;
    this.#checksTotal = settings.checks.length;
    this.#start = startOf(settings);
  }

  observe(fact: Fact): void {
    if (fact.type === 'run.continued') this.#isContinued = true;
    if (fact.type === 'baseline.taken') this.#checksTotal = countOfSteps(this.#checks.length, fact.payload.steps);
    if (fact.type === 'iteration.started') this.#isContinued = false;
    if (fact.type === 'decision.made') this.#close(fact);
    else this.#current = next(this.#current, fact, this.#checks);
    if (this.#current?.result && shows(fact)) this.#shownBy.set(this.#current.iteration, fact.version);
  }

  /** The best iteration so far, the newest included; null before the first. */
  best(): Accepted | null {
    const current =
      this.#current && summarised(this.#current, { durationMs: 0, checksTotal: this.#checksTotal, metadata: null });
    const best = bestOf(current ? [...this.#previous, current] : this.#previous);
    return best && acceptedOf(best);
  }

  /** How the newest attempt ended, where it did not succeed. Null: it did, it was lost, or none has ended. */
  failed(): Outcome | null {
    const outcome = this.#current?.result?.outcome ?? null;
    return outcome?.ending === 'success' ? null : outcome;
  }

  /**
   * The budget in which the newest attempt had no room for its first request: the next one has none either. Null: it
   * asked its model, or the run was continued since, under other limits.
   */
  starved(): ReachedLimit | null {
    const { outcome = null, tokensUsed = null } = this.#current?.result ?? {};
    if (this.#isContinued || outcome?.ending !== 'budget' || tokensUsed?.total !== 0) return null;
    return outcome.limit.name === 'tool_calls' ? null : outcome.limit;
  }

  /** The versions that show the results of these iterations, in order. */
  shownBy(iterations: readonly number[]): number[] {
    return iterations.flatMap((iteration) => this.#shownBy.get(iteration) ?? []).toSorted((one, other) => one - other);
  }

  /** The newest finished iteration as the strategy's input. Null before the first. */
  complete(context: IterationContext, at: string): IterationCompleteEvent | null {
    const worked = this.#current && workOf(this.#current);
    if (!worked) return null;
    return {
      ...worked,
      workspaceAtStart: this.#start,
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
    this.#current = null;
    if (!current) return;
    const durationMs = Math.max(0, Date.parse(at) - Date.parse(current.startedAt));
    const metadata = payload.strategy?.metadata ?? null;
    const summary = summarised(current, { durationMs, checksTotal: this.#checksTotal, metadata });
    if (summary) this.#previous.push(summary);
  }
}

/** Whether a fact shows the result of an iteration. */
const shows = ({ type, payload }: Fact): boolean =>
  type === 'child.settled' ||
  type === 'verification.completed' ||
  (type === 'effect.interrupted' && payload.actor === 'agent');

function summarised(current: Current, facts: Omit<SummaryFacts, 'workspaceRef'>): IterationSummary | null {
  const worked = workOf(current);
  return worked && summaryOf(worked, { ...facts, workspaceRef: current.ref });
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

function next(current: Current | null, event: Fact, checks: Configured): Current | null {
  if (event.type === 'iteration.started') {
    const { iteration } = event.payload;
    return {
      iteration,
      startedAt: event.at,
      result: null,
      output: '',
      workspace: null,
      ref: null,
      report: null,
      ci: null,
    };
  }
  if (!current) return null;
  switch (event.type) {
    case 'child.settled':
      return { ...current, result: attemptOf(event.payload), output: outputOf(event.payload) };
    case 'effect.interrupted':
      return event.payload.actor === 'agent' ? { ...current, result: LOST } : current;
    case 'workspace.captured':
      return { ...current, workspace: event.payload.hash, ref: event.payload.ref };
    case 'verification.completed':
      return verified(current, event.payload, checks);
    default:
      return current;
  }
}

/** The last message of an attempt: a signal may stand in its text or in the answer that a call in it gave. */
const outputOf = ({ text, answer }: EventOf<'child.settled'>['payload']): string =>
  text === undefined ? answer : `${text}\n\n${answer}`;

/** A report on another workspace does not apply to this one. */
function verified(
  current: Current,
  payload: EventOf<'verification.completed'>['payload'],
  checks: Configured,
): Current {
  if (payload.workspace !== current.workspace) return current;
  const { levels, ci } = payload;
  const report = levels.length > 0 ? reportOf(payload, checks) : null;
  return { ...current, report, ci: ci ? { passed: ci.passed, output: ci.output } : null };
}
