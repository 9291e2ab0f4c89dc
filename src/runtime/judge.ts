import type { IterationContext } from '../../machines/iteration.machine.ts';
import type { Life } from '../../machines/life.ts';
import type { Finding, Outcome, ReachedLimit, Verified } from '../../machines/outcome.ts';
import type { TurnContext } from '../../machines/turn.machine.ts';
import { BUDGET_EXHAUSTED } from '../budget/allowance.ts';
import { reached } from '../budget/reached.ts';
import type { LoopDecision } from '../strategies/decision.ts';
import { endingOf, endingOfFacts, strongest } from '../strategies/ending.ts';
import { checksFeedback } from '../strategies/feedback.ts';
import { unaffordable, usedBy } from './affordable.ts';
import type { Evidence } from './evidence.ts';
import { type Decision, evidenceOf, goOn, stop } from './verdict.ts';

// Two judges, each from evidence alone: first whether something ends the run, in the order abort, success, caps, findings,
// budgets; else why it goes on, what its next prompt says, and whether there is room for that.

/** Whether a turn goes on. */
export function judgeTurn(evidence: Evidence<TurnContext>): Decision {
  const { context } = evidence;
  const limits = reachedBy(evidence).filter((limit) => countsForTurn(limit, context));
  const outcome = abortOf(context) ?? successOfTurn(context) ?? endingOfFacts({ reached: limits, findings: stopsIn(evidence) });
  const decision = outcome ? stop(evidence, outcome) : goOnWithin(evidence, anotherStep(evidence));
  return { ...decision, ...noticed(evidence) };
}

/** A strategy's word on the iteration that is over, with the name it goes by. */
export interface Advice {
  readonly strategy: string;
  readonly decision: LoopDecision;
}

/**
 * Whether a loop of attempts goes on. The strategy is heard after every iteration, so there is no advice before the first.
 * It cannot overrule a proof, a cap or a finding; but work that it may call finished is a success, and a success comes
 * before what else was reached meanwhile.
 */
export function judgeIteration(evidence: Evidence<IterationContext>, advice: Advice | null): Decision {
  const { context } = evidence;
  const limits = reachedBy(evidence);
  const success = isSteered(context) ? null : proven(context);
  const facts = endingOfFacts({ reached: limits, findings: stopsIn(evidence) });
  const outcome = abortOf(context) ?? success ?? strongest([facts, stoppedBy(advice, evidence, limits)]);
  // A proof speaks for itself.
  const words = outcome === success ? undefined : advice?.decision.reason;
  const decision = outcome ? stop(evidence, outcome, words) : goOnWithin(evidence, anotherAttempt(evidence, advice));
  return { ...decision, ...adviceIn(advice), ...noticed(evidence) };
}

function anotherStep(evidence: Evidence<TurnContext>): Decision {
  const { context, report } = evidence;
  const failed = context.verification?.passed === false;
  const said = [failed && report ? checksFeedback(report) : null, isGoingOn(evidence) ? CUT_OFF : null, ...nudges(evidence)];
  return { ...whyAnotherStep(evidence), ...feedback(said) };
}

function whyAnotherStep(evidence: Evidence<TurnContext>): Decision {
  const { context, chant } = evidence;
  const { verification, finished, spend } = context;
  if (isAmended(context)) return goOn(evidence, HAS_SAID_MORE, context.steered ?? undefined);
  if (finished !== null) {
    const why = verification?.passed === false ? 'the finished work failed its checks' : 'no check has proven the finished work';
    return goOn(evidence, why, verification?.version);
  }
  if (isGoingOn(evidence)) return goOn(evidence, 'the answer was ended early', context.answer?.version);
  if (chant !== null) return goOn(evidence, 'the answer was cut off: it said the same over and over', chant);
  if (context.compacted) return goOn(evidence, 'the conversation was full again right after it was summarised');
  return { action: 'continue', reason: spend.steps === 0 ? 'the first step' : 'the calls are answered', evidence: [] };
}

const CUT_OFF = 'Your last answer was ended before you had finished it. Go on from where it stops.';
const HAS_SAID_MORE = 'a person has said more';

/** An answer that was ended early, and asked for nothing, is to be gone on with. */
const isGoingOn = ({ context, isCut }: Evidence<TurnContext>): boolean =>
  isCut && context.finished === null && context.answer?.calls === 0;

function anotherAttempt(evidence: Evidence<IterationContext>, advice: Advice | null): Decision {
  if (!advice) return { action: 'continue', reason: 'the first iteration', evidence: [] };
  const { decision } = advice;
  const why = decision.continue ? decision.reason : HAS_SAID_MORE;
  return { ...goOn(evidence, why, newestOf(evidence)), ...feedback([decision.feedback, ...nudges(evidence)]) };
}

/** The version that shows how the iteration went. */
const newestOf = ({ context: { verification, attempt } }: Evidence<IterationContext>): number | undefined =>
  verification?.version ?? attempt?.version;

function stoppedBy(advice: Advice | null, evidence: Evidence<IterationContext>, limits: readonly ReachedLimit[]): Outcome | null {
  const { context, iterations, idOf } = evidence;
  // A strategy speaks of the task as it was.
  if (!advice || advice.decision.continue || isSteered(context)) return null;
  const outcome = endingOf(advice.decision, {
    strategy: advice.strategy,
    totalIterations: context.iterations,
    verified: null,
    checksFailed: context.verification !== null || evidence.failedBefore,
    reached: limits,
    findings: stopsIn(evidence),
    evidence: evidenceOf(evidence, newestOf(evidence)),
    best: iterations.best(),
    evidenceOf: (these) => iterations.shownBy(these).map(idOf),
  });
  // What the deadline has cut short was not finished, whoever claims that it was.
  return outcome.ending === 'success' && context.deadlinePassed ? null : outcome;
}

/** Nothing is begun that what is left has no room for. */
function goOnWithin(evidence: Evidence<Life>, decision: Decision): Decision {
  const limit = unaffordable(evidence.context, evidence.next, decision.feedback);
  return limit ? stop(evidence, { ending: 'budget', limit }) : decision;
}

function abortOf({ abort, fault }: Life): Outcome | null {
  if (abort) {
    const code = abort.cause === 'error' ? { code: 'actor_failed', message: abort.reason ?? 'an actor failed' } : null;
    return { ending: 'abort', cause: abort.cause, fault: code };
  }
  return fault && fault.fault.code !== BUDGET_EXHAUSTED ? { ending: 'abort', cause: 'error', fault: fault.fault } : null;
}

function successOfTurn(context: TurnContext): Outcome | null {
  const { finished, hasChecks } = context;
  if (finished === null || isAmended(context)) return null;
  return hasChecks ? proven(context) : { ending: 'success', verified: null, partial: false };
}

/** Checks prove the workspace that they were run on, and no other. */
function proven({ verification, workspace }: Life): Outcome | null {
  if (!verification?.passed || verification.workspace !== workspace) return null;
  const verified: Verified = { version: verification.version, workspace };
  return { ending: 'success', verified, partial: false };
}

/** What a person has said meanwhile is part of the task: no work is finished before it was heard. */
const isSteered = ({ steered }: Life): boolean => steered !== null;

/** A turn of zero steps answers once, whatever is said. */
const isAmended = (life: Life): boolean => isSteered(life) && life.limits.maxSteps !== 0;

const reachedBy = ({ context, at }: Evidence<Life>): ReachedLimit[] => reached(context.limits, usedBy(context, at));

/** A turn of zero steps still answers once; a tool budget ends a turn that wants more calls, not one that is finished. */
function countsForTurn({ name }: ReachedLimit, { spend, finished }: TurnContext): boolean {
  if (name === 'time_ms') return true;
  return spend.steps > 0 && (name !== 'tool_calls' || finished === null);
}

const stopsIn = ({ findings }: Evidence<Life>): Finding[] => findings.filter(({ level }) => level === 'stop');

const nudges = ({ findings }: Evidence<Life>): string[] =>
  findings.filter(({ level }) => level === 'nudge').map(({ message }) => `You may be going in circles: ${message}. Try something else.`);

/** What detectors have said is recorded with the decision it bears on, and so is what a strategy has. */
const noticed = ({ findings }: Evidence<Life>): Pick<Decision, 'findings'> => (findings.length > 0 ? { findings: [...findings] } : {});

const adviceIn = (advice: Advice | null): Pick<Decision, 'strategy'> =>
  advice ? { strategy: { name: advice.strategy, metadata: advice.decision.metadata ?? null } } : {};

function feedback(parts: readonly (string | null | undefined)[]): Pick<Decision, 'feedback'> {
  const said = parts.filter((part) => part != null);
  return said.length > 0 ? { feedback: said.join('\n\n') } : {};
}
