import type { Life } from '../../../machines/life.ts';
import type { Fault, Outcome, ReachedLimit } from '../../../machines/outcome.ts';
import { mostSteps, type TurnContext } from '../../../machines/turn.machine.ts';
import { type Evidence, type Decision, anotherRound } from '../../kernel/decision.ts';
import {
  feedback,
  HAS_SAID_MORE,
  isSteered,
  judgeInOrder,
  nudges,
  proven,
  reachedBy,
} from '../../judging/judge-in-order.ts';
import { baselineFeedback, checksFeedback } from '../../strategies/feedback.ts';
import { checksText } from '../checks-text.ts';
import type { TurnMemory } from './memory.ts';
import { isIdle, STILL_FULL, unansweredFault, unansweredFeedback } from './no-answer.ts';
import { MAX_FILLINGS } from './window.ts';

type TurnEvidence = Evidence<TurnContext, TurnMemory>;

/** Decides whether a turn continues. */
export function judgeTurn(evidence: TurnEvidence): Decision {
  const reached = reachedBy(evidence).filter((limit) => countsForTurn(limit, evidence));
  return judgeInOrder(evidence, {
    fault: unansweredIn(evidence),
    success: successOf(evidence),
    reached,
    otherwise: () => anotherStep(evidence),
  });
}

function anotherStep(evidence: TurnEvidence): Decision {
  const { context, report } = evidence;
  const failed = context.verification?.passed === false;
  const said = [
    context.spend.steps === 0 ? checksText({ checks: evidence.memory.checks }) : null,
    context.spend.steps === 0 ? baselineFeedback(evidence.baseline, evidence.beginning) : null,
    failed && report ? checksFeedback(report) : null,
    context.finished === null ? null : evidence.memory.unfit.feedback,
    evidence.memory.unanswered && isGoingOn(evidence)
      ? unansweredFeedback(evidence.memory.unanswered, isTextOnly(context))
      : null,
    ...nudges(evidence),
  ];
  return { ...whyAnotherStep(evidence), ...feedback(said) };
}

function whyAnotherStep(evidence: TurnEvidence): Decision {
  const {
    context,
    memory: { chant },
  } = evidence;
  const { finished, spend } = context;
  if (isAmended(context)) return anotherRound(evidence, HAS_SAID_MORE, context.steered ?? undefined);
  if (finished !== null) return unfinished(evidence, finished);
  if (isGoingOn(evidence)) {
    const why = isIdle(evidence.memory.answer?.cut) ? 'the answer did nothing' : 'the answer was ended early';
    return anotherRound(evidence, why, context.answer?.version);
  }
  if (chant !== null) return anotherRound(evidence, 'the answer was cut off: it said the same over and over', chant);
  if (context.compacted) return anotherRound(evidence, 'the conversation was full again right after it was summarised');
  return { action: 'continue', reason: spend.steps === 0 ? 'the first step' : 'the calls are answered', evidence: [] };
}

function unfinished(evidence: TurnEvidence, finished: number): Decision {
  const { verification } = evidence.context;
  if (verification?.passed === false)
    return anotherRound(evidence, 'the finished work failed its checks', verification.version);
  if (evidence.memory.unfit.feedback !== null)
    return anotherRound(evidence, 'the answer does not fit its schema', finished);
  return anotherRound(evidence, 'no check has proven the finished work', verification?.version);
}

/** The model gives no answer, and is not asked again. */
function unansweredIn({ context, memory }: TurnEvidence): Fault | null {
  if (memory.window.fillings >= MAX_FILLINGS) return STILL_FULL;
  if (context.finished !== null) return memory.unfit.fault;
  return memory.unanswered ? unansweredFault(memory.unanswered) : null;
}

/** An unfinished answer without a call that may run is to be continued. */
const isGoingOn = ({ context, memory }: TurnEvidence): boolean =>
  memory.answer?.cut !== undefined && context.finished === null && (context.answer?.calls === 0 || isTextOnly(context));

function successOf(evidence: TurnEvidence): Outcome | null {
  const { context } = evidence;
  const { finished, hasChecks } = context;
  if (finished === null || isAmended(context) || evidence.memory.unfit.feedback !== null) return null;
  return hasChecks ? proven(evidence) : { ending: 'success', verified: null, partial: false };
}

/** A turn of zero steps is text only. */
const isTextOnly = ({ limits }: Life): boolean => limits.maxSteps === 0;

/** Steering does not extend a turn of zero steps: it answers once. */
const isAmended = (life: Life): boolean => isSteered(life) && !isTextOnly(life);

/**
 * A turn of zero steps still answers once, and again where its answer did nothing; a tool budget ends a turn that wants
 * more calls, not one that is finished.
 */
function countsForTurn({ name }: ReachedLimit, evidence: TurnEvidence): boolean {
  const { context, memory } = evidence;
  const { spend, finished } = context;
  if (name === 'time_ms') return true;
  if (name === 'steps' && isTextOnly(context) && isIdle(memory.answer?.cut) && spend.steps < mostSteps(context))
    return false;
  return spend.steps > 0 && (name !== 'tool_calls' || finished === null);
}
