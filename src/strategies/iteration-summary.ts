import { contentHash, measure } from './report.ts';
import type { IterationCompleteEvent, IterationSummary } from './strategy.ts';

/** What the event of an iteration does not carry. */
export interface SummaryFacts {
  readonly durationMs: number;
  /** Checks configured for the run. */
  readonly checksTotal: number;
  /** From the decision on it; null where there was none. */
  readonly metadata: IterationSummary['metadata'];
  /** The git reference that keeps the workspace as it was left; null outside git. */
  readonly workspaceRef: string | null;
}

type Summarised = Pick<
  IterationCompleteEvent,
  | 'iteration'
  | 'agentResult'
  | 'agentSuccess'
  | 'agentOutput'
  | 'verificationReport'
  | 'verificationPassed'
  | 'workspaceHash'
>;

/** The summary of an iteration for the events of later ones. */
export function summaryOf(event: Summarised, facts: SummaryFacts): IterationSummary {
  const { durationMs, checksTotal, metadata, workspaceRef } = facts;
  return {
    ...measure(event.verificationReport, checksTotal),
    iteration: event.iteration,
    agentSuccess: event.agentSuccess,
    verificationPassed: event.verificationPassed,
    durationMs,
    tokensUsed: event.agentResult.tokensUsed?.total ?? null,
    output: event.agentOutput,
    contentHash: contentHash(event.verificationReport, event.workspaceHash),
    workspaceHash: event.workspaceHash,
    workspaceRef,
    metadata,
  };
}
