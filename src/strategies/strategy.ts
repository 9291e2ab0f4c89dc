import type { z } from 'zod';
import type { Ending, Outcome } from '../../machines/outcome.ts';
import type { LoopDecision } from './loop-decision.ts';
import type { Measures, VerificationReport } from './report.ts';
import type { EventOf } from '../../machines/events.ts';

/**
 * Decides after every iteration whether a loop continues. The event has all it needs, so it keeps nothing between calls
 * and may be asked again about the same iteration after a crash.
 *
 * @example
 * const twice: LoopStrategy = {
 *   name: 'twice',
 *   onIterationComplete: async ({ iteration }) => ({ continue: iteration < 1, reason: 'two iterations' }),
 * };
 */
export interface LoopStrategy {
  readonly name: string;
  /** The checks of the run are not run, so no ending is verified. */
  readonly skipsVerification?: boolean;
  onIterationComplete(event: IterationCompleteEvent, call?: StrategyCall): Promise<LoopDecision>;
  /**
   * Called for every ending, abort and error included. Called again only if the process dies before the call is
   * recorded.
   */
  onLoopEnd?(event: LoopEndEvent, call?: StrategyCall): Promise<void>;
}

/** `signal` aborts when the answer is no longer awaited: it took too long, or the run is paused or aborted. */
export interface StrategyCall {
  readonly signal: AbortSignal;
}

/**
 * A strategy that answers at once, from the event alone: its decision is recorded in the same transaction as the event.
 */
export interface PureStrategy extends LoopStrategy {
  readonly pure: true;
  decide(event: IterationCompleteEvent): LoopDecision;
}

export const isPure = (strategy: LoopStrategy): strategy is PureStrategy =>
  'pure' in strategy && strategy.pure === true && 'decide' in strategy && typeof strategy.decide === 'function';

/** Everything known at the end of an iteration. `iteration` is 0-based, times are milliseconds. */
export interface IterationCompleteEvent {
  readonly iteration: number;
  /** Iterations so far, this one included. */
  readonly totalIterations: number;
  readonly elapsedMs: number;
  readonly agentResult: AgentResult;
  readonly agentSuccess: boolean;
  /** The agent's answer. */
  readonly agentOutput: string;
  /** Null where nothing was verified: no checks, or the agent failed. */
  readonly verificationReport: VerificationReport | null;
  readonly verificationPassed: boolean | null;
  /** Tree hash of the workspace; null outside git. */
  readonly workspaceHash: string | null;
  /** The same as the run found it; null or absent where it is not known. */
  readonly workspaceAtStart?: string | null;
  /** The result of the configured `ci` command; null without one. */
  readonly ciStatus: CiStatus | null;
  /** Oldest first. */
  readonly previousIterations: readonly IterationSummary[];
  /** Null is no limit. */
  readonly maxIterations: number | null;
  readonly maxTimeMs: number | null;
  readonly runId: string;
  /** The run's id unless the caller gives another. */
  readonly workOrderId: string;
}

export interface CiStatus {
  readonly passed: boolean;
  readonly output: string;
}

export interface IterationSummary extends Measures {
  readonly iteration: number;
  readonly agentSuccess: boolean;
  readonly verificationPassed: boolean | null;
  /** Of this iteration alone. */
  readonly durationMs: number;
  readonly tokensUsed: number | null;
  readonly output: string;
  readonly contentHash: string;
  /** Tree hash of the workspace as it left it, and the git reference that keeps it; null outside git. */
  readonly workspaceHash: string | null;
  readonly workspaceRef: string | null;
  /** The metadata of the strategy's decision on this iteration. */
  readonly metadata: z.core.util.JSONType;
}

export type FinalResult = 'success' | 'max_iterations' | 'timeout' | 'strategy_stop' | 'error';

export interface LoopEndEvent {
  readonly runId: string;
  readonly totalIterations: number;
  readonly finalResult: FinalResult;
  /** The ending of the run, which says more. */
  readonly ending: Ending;
  readonly elapsedMs: number;
}

/** The result of one attempt, for any kind of agent. Unknown members are null. */
export interface AgentResult {
  readonly success: boolean;
  readonly exitCode: number | null;
  /** The ending of the attempt's own run. */
  readonly outcome: Outcome | null;
  readonly tokensUsed: { readonly input: number; readonly output: number; readonly total: number } | null;
}

/** The result of an attempt that was a run of its own. */
export function attemptOf({ outcome, spend }: EventOf<'child.settled'>['payload']): AgentResult {
  const { inputTokens: input, outputTokens: output } = spend;
  return {
    success: outcome.ending === 'success',
    exitCode: null,
    outcome,
    tokensUsed: { input, output, total: input + output },
  };
}
