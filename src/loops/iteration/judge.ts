import type { IterationContext } from '../../../machines/iteration.machine.ts';
import { NO_ANSWER, type Outcome, type ReachedLimit } from '../../../machines/outcome.ts';
import { type Evidence, type Decision, evidenceOf, anotherRound, type Advice } from '../../kernel/decision.ts';
import {
  feedback,
  HAS_SAID_MORE,
  isSteered,
  judgeInOrder,
  nudges,
  proven,
  reachedBy,
  stopsIn,
} from '../../judging/judge-in-order.ts';
import { LIMIT_OF, setAside } from '../../budget/limit-use.ts';
import { endingOf } from '../../judging/ending.ts';
import { causeOf } from '../../strategies/attempt-failure.ts';
import { baselineFeedback } from '../../strategies/feedback.ts';
import type { IterationMemory } from './memory.ts';

type AttemptEvidence = Evidence<IterationContext, IterationMemory>;

/** The part of a judgement in which loops of attempts differ. */
interface AttemptJudging {
  /** The outcome where the work is done. */
  readonly success: Outcome | null;
  /** Which of the outcomes that its strategy advises end the run. */
  readonly heeds?: (outcome: Outcome) => boolean;
  /** Why another attempt begins, and what its prompt says, in place of what the strategy says. */
  readonly another?: { readonly reason: string; readonly feedback: string };
  /** A limit that is reached, with the numbers that people know it by. */
  readonly numbered?: (limit: ReachedLimit) => ReachedLimit;
}

/**
 * Decides whether a loop of attempts continues. The strategy is asked after every iteration, so there is no advice
 * before the first. It cannot undo passed checks, and accepts failed ones only as a partial success. Work that it may
 * call finished is a success, and a success takes precedence over limits reached meanwhile.
 */
export const judgeIteration = (evidence: AttemptEvidence, advice: Advice | null): Decision =>
  judgeAttempts(evidence, advice, { success: proven(evidence) });

/** The same for a loop with its own idea of success. Nothing is finished before a steering text was received. */
export function judgeAttempts(
  evidence: AttemptEvidence,
  advice: Advice | null,
  { success, heeds = () => true, another, numbered = (limit) => limit }: AttemptJudging,
): Decision {
  const reached = [...reachedBy(evidence), ...starvedIn(evidence)].map(numbered);
  const advised = stoppedBy(advice, evidence, reached);
  const isHeeded = !another || (advised !== null && heeds(advised));
  const decision = judgeInOrder(evidence, {
    success: isSteered(evidence.context) || isUnfit(evidence.memory.failed()) ? null : success,
    reached,
    advised: isHeeded ? advised : null,
    remark: isHeeded ? advice?.decision.reason : another?.reason,
    otherwise: () => anotherAttempt(evidence, advice, another),
  });
  return { ...withFailure(decision, evidence.memory.failed()), ...adviceIn(advice) };
}

/** Whatever the checks say, the answer that was asked for is missing. */
const isUnfit = (failed: Outcome | null): boolean =>
  failed?.ending === 'abort' && failed.fault?.code === NO_ANSWER.unfit;

/**
 * The budget of the run that had no room for any request of the newest attempt: its prompt is longer than what the loop
 * expects of it, and the next one is no shorter.
 */
function starvedIn({ context: { limits }, used, memory }: AttemptEvidence): ReachedLimit[] {
  const ofAttempt = memory.starved();
  if (ofAttempt === null) return [];
  const limit = limits[LIMIT_OF[ofAttempt.name]] ?? null;
  if (limit === null) return [ofAttempt];
  const isMoney = ofAttempt.name === 'cost_nano_usd';
  const held = (isMoney ? used.reserved?.nanoUsd : used.reserved?.tokens) ?? 0;
  const { next } = ofAttempt;
  return [
    {
      name: ofAttempt.name,
      used: isMoney ? used.nanoUsd : used.tokens,
      limit,
      ...setAside(held),
      ...(next === undefined ? {} : { next }),
    },
  ];
}

/**
 * The decision, whose reason names why the attempt failed: a refusal or a window that is full is why the next attempt
 * fails, too. Not where the limit that ended it is the one that ends the run.
 */
function withFailure(decision: Decision, failed: Outcome | null): Decision {
  const cause = causeOf(failed);
  const { reason, sink } = decision;
  if (cause === null || sink?.ending === 'abort' || isOfSameLimit(sink, failed)) return decision;
  return { ...decision, reason: `${reason}; the attempt ended: ${cause}` };
}

const isOfSameLimit = (one: Outcome | null | undefined, other: Outcome | null): boolean =>
  one != null && other !== null && 'limit' in one && 'limit' in other && one.limit.name === other.limit.name;

function anotherAttempt(
  evidence: AttemptEvidence,
  advice: Advice | null,
  another: AttemptJudging['another'],
): Decision {
  if (!advice) {
    const said = feedback([baselineFeedback(evidence.baseline, evidence.beginning)]);
    return { action: 'continue', reason: 'the first iteration', evidence: [], ...said };
  }
  const { decision } = advice;
  const why = another?.reason ?? (decision.continue ? decision.reason : HAS_SAID_MORE);
  const said = another?.feedback ?? decision.feedback;
  return { ...anotherRound(evidence, why, newestOf(evidence)), ...feedback([said, ...nudges(evidence)]) };
}

/** The version that shows the result of the iteration. */
const newestOf = ({ context: { verification, attempt } }: AttemptEvidence): number | undefined =>
  verification?.version ?? attempt?.version;

function stoppedBy(advice: Advice | null, evidence: AttemptEvidence, limits: readonly ReachedLimit[]): Outcome | null {
  const { context, memory, idOf } = evidence;
  // The strategy does not know the task as it was changed by steering.
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
  // An attempt that the deadline interrupted was not finished, whatever the strategy claims.
  return outcome.ending === 'success' && context.deadlinePassed ? null : outcome;
}

/** The strategy's advice is recorded with the decision. */
const adviceIn = (advice: Advice | null): Pick<Decision, 'strategy'> =>
  advice ? { strategy: { name: advice.strategy, metadata: advice.decision.metadata ?? null } } : {};
