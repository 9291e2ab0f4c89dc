import { Level } from '../../machines/events.ts';
import { rankOf } from './compare-progress.ts';
import { measure } from './report.ts';
import { isUnchanged } from './repetition.ts';
import { completionSignal } from './completion-signals.ts';
import type { IterationCompleteEvent } from './strategy.ts';

export const CRITERIA = ['verification_pass', 'ci_pass', 'no_changes', 'agent_signal'] as const;
export type Criterion = (typeof CRITERIA)[number];

/** The signal with which an agent claims that its task is complete. */
export const AGENT_SIGNAL = 'TASK_COMPLETE';

/**
 * The first criterion that is met, in their order, and the reason; null where none is. An attempt that failed, or whose
 * checks failed, meets none.
 */
export function metCriterion(
  event: IterationCompleteEvent,
  criteria: readonly Criterion[],
  minVerificationLevel: Level,
): { readonly criterion: Criterion; readonly why: string } | null {
  if (!event.agentSuccess || event.verificationPassed === false) return null;
  for (const criterion of criteria) {
    const why = MEETS[criterion](event, minVerificationLevel);
    if (why !== null) return { criterion, why };
  }
  return null;
}

const MEETS: Readonly<Record<Criterion, (event: IterationCompleteEvent, minimum: Level) => string | null>> = {
  verification_pass: (event, minimum) => (isVerified(event, minimum) ? 'verification passed' : null),
  ci_pass: ({ ciStatus }) => (ciStatus?.passed ? 'the CI passed' : null),
  no_changes: (event) => (isUnchanged(event) ? 'nothing changed since the iteration before' : null),
  agent_signal: ({ agentOutput }) =>
    completionSignal(agentOutput ?? '', [AGENT_SIGNAL]) === null ? null : `the agent said ${AGENT_SIGNAL}`,
};

/** Whether the checks passed up to a level that is high enough. */
export function isVerified(
  { verificationPassed, verificationReport }: IterationCompleteEvent,
  minimum: Level,
): boolean {
  if (verificationPassed !== true) return false;
  const wanted = Level.options.indexOf(minimum) + 1;
  return verificationReport === null || rankOf(measure(verificationReport, 0)) >= wanted;
}
