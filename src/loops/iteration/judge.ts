import type { IterationContext } from '../../../machines/iteration.machine.ts';
import type { Outcome, ReachedLimit } from '../../../machines/outcome.ts';
import type { Evidence } from '../../runtime/evidence.ts';
import { type Advice, feedback, HAS_SAID_MORE, isSteered, judgeInOrder, nudges, proven, reachedBy, stopsIn } from '../../runtime/judging.ts';
import { type Decision, evidenceOf, goOn } from '../../runtime/verdict.ts';
import { endingOf } from '../../strategies/ending.ts';
import type { Attempts } from './attempts.ts';

type AttemptEvidence = Evidence<IterationContext, Attempts>;

/**
 * Whether a loop of attempts goes on. The strategy is heard after every iteration, so there is no advice before the first.
 * It cannot overrule a proof, a cap or a finding; but work that it may call finished is a success, and a success comes
 * before what else was reached meanwhile.
 */
export function judgeIteration(evidence: AttemptEvidence, advice: Advice | null): Decision {
  const { context } = evidence;
  const reached = reachedBy(evidence);
  const decision = judgeInOrder(evidence, {
    success: isSteered(context) ? null : proven(context),
    reached,
    advised: stoppedBy(advice, evidence, reached),
    words: advice?.decision.reason,
    goOn: () => anotherAttempt(evidence, advice),
  });
  return { ...decision, ...adviceIn(advice) };
}

function anotherAttempt(evidence: AttemptEvidence, advice: Advice | null): Decision {
  if (!advice) return { action: 'continue', reason: 'the first iteration', evidence: [] };
  const { decision } = advice;
  const why = decision.continue ? decision.reason : HAS_SAID_MORE;
  return { ...goOn(evidence, why, newestOf(evidence)), ...feedback([decision.feedback, ...nudges(evidence)]) };
}

/** The version that shows how the iteration went. */
const newestOf = ({ context: { verification, attempt } }: AttemptEvidence): number | undefined =>
  verification?.version ?? attempt?.version;

function stoppedBy(advice: Advice | null, evidence: AttemptEvidence, limits: readonly ReachedLimit[]): Outcome | null {
  const { context, memory, idOf } = evidence;
  // A strategy speaks of the task as it was.
  if (!advice || advice.decision.continue || isSteered(context)) return null;
  const outcome = endingOf(advice.decision, {
    strategy: advice.strategy,
    totalIterations: context.iterations,
    elapsedMs: Math.max(0, Date.parse(evidence.at) - Date.parse(context.clockStart)),
    verified: null,
    checksFailed: context.verification !== null || evidence.failedBefore,
    reached: limits,
    findings: stopsIn(evidence),
    evidence: evidenceOf(evidence, newestOf(evidence)),
    best: memory.best(),
    evidenceOf: (these) => memory.shownBy(these).map(idOf),
  });
  // What the deadline has cut short was not finished, whatever the strategy claims.
  return outcome.ending === 'success' && context.deadlinePassed ? null : outcome;
}

/** What a strategy has said is recorded with the decision it bears on. */
const adviceIn = (advice: Advice | null): Pick<Decision, 'strategy'> =>
  advice ? { strategy: { name: advice.strategy, metadata: advice.decision.metadata ?? null } } : {};
