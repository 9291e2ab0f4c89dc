import { shownNumbers } from '../../../machines/ralph-numbers.ts';
import type { Outcome, ReachedLimit } from '../../../machines/outcome.ts';
import type { Advice } from '../../kernel/advice.ts';
import type { Decision } from '../../kernel/decision.ts';
import { PROMISE_GIVEN } from '../../ralph/completion-promise.ts';
import { judgeAttempts } from '../iteration/judge.ts';
import { missingText } from './iteration-feedback.ts';
import { asFileSays, type Progress, progressOf, type RalphEvidence } from './progress.ts';

/**
 * Decides whether a Ralph loop continues. Its strategy may stop it for going in circles; what counts as done is decided
 * here: the promise, together with passed checks where there are any. Its maximum changes while it runs, so the
 * strategy's own is not asked.
 */
export function judgeRalph(found: RalphEvidence, advice: Advice | null): Decision {
  const evidence = { ...found, context: asFileSays(found.context) };
  const progress = progressOf(evidence);
  const decision = judgeAttempts(evidence, advice, {
    success: successOf(progress, evidence),
    heeds: ({ ending }) => ending === 'doom_loop' && advice?.decision.action !== 'complete',
    ...(advice ? { another: missingText(progress, evidence) } : {}),
    numbered: (limit) => asFileCounts(limit, found.context),
  });
  if (!progress.isPromised || decision.sink?.ending !== 'success') return decision;
  return { ...decision, reason: promisedText(decision.sink.verified !== null, evidence.context) };
}

/** The reason why the loop ends after a promise: people read it in the state file, in activities and in webhooks. */
function promisedText(isVerified: boolean, { hasChecks }: RalphEvidence['context']): string {
  if (isVerified) return `${PROMISE_GIVEN}, and the checks passed`;
  return `${PROMISE_GIVEN}; ${hasChecks ? 'no check has proven the work' : 'nothing was asked to be checked'}`;
}

/** After an edit of the iteration the file counts in other numbers than the run does: people read those. */
function asFileCounts(reached: ReachedLimit, context: RalphEvidence['context']): ReachedLimit {
  if (reached.name !== 'iterations' || context.file.ahead === 0) return reached;
  const { iteration: used, maximum: limit } = shownNumbers(context);
  return { ...reached, shown: { used, limit } };
}

/** Passed checks alone are a success only where no promise is asked for: a base may be green from the start. */
function successOf({ promise, isPromised, needsProof, proof }: Progress, { context }: RalphEvidence): Outcome | null {
  if (promise === null) return context.hasChecks ? proof : null;
  if (!isPromised) return null;
  if (proof) return proof;
  return needsProof ? null : { ending: 'success', verified: null, partial: false };
}
