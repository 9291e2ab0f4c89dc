import type { EventOf } from '../../machines/events.ts';
import type { IterationContext } from '../../machines/iteration.machine.ts';
import type { Life } from '../../machines/life.ts';
import type { Finding, Outcome, ReachedLimit, Verified } from '../../machines/outcome.ts';
import type { TurnContext } from '../../machines/turn.machine.ts';
import { BUDGET_EXHAUSTED, type Expected } from '../budget/allowance.ts';
import { reached } from '../budget/reached.ts';
import type { LoopDecision } from '../strategies/decision.ts';
import { unaffordable, usedBy } from './affordable.ts';
import { endingOf, endingOfFacts, strongest } from '../strategies/ending.ts';
import { checksFeedback } from '../strategies/feedback.ts';
import type { VerificationReport } from '../strategies/report.ts';
import { sentinelOf } from '../strategies/sentinel.ts';
import type { Iterations } from './iterations.ts';

export type Decision = EventOf<'decision.made'>['payload'];

/** What every judgement rests on. */
export interface Evidence<Context extends Life> {
  readonly context: Context;
  /** The time of the judgement. */
  readonly at: string;
  /** What detectors have said since the work went on, strongest or not. */
  readonly findings: readonly Finding[];
  readonly report: VerificationReport | null;
  /** Checks have failed, newest verdict, on the very workspace as it is now. */
  readonly failedBefore: boolean;
  /** What the next call of the model, or the first one of an attempt, takes in and costs. */
  readonly next: Expected;
  /** The newest answer of the model was ended early. */
  readonly isCut: boolean;
  /** The version at which it was cut off because it said the same over and over. */
  readonly chant?: number | null;
  /** The id (`RUN/version`) of a version of this run. */
  readonly idOf: (version: number) => string;
  /** The version that asked for the judgement. */
  readonly version: number;
  readonly iterations: Pick<Iterations, 'best' | 'shownBy'>;
}

/** Whether a turn goes on. Precedence: abort, success, caps, findings, budgets. */
export function judgeTurn(evidence: Evidence<TurnContext>): Decision {
  const { context, report } = evidence;
  const limits = reachedBy(evidence, 0).filter((limit) => countsForTurn(limit, context));
  const outcome = abortOf(context) ?? successOfTurn(context) ?? endingOfFacts({ reached: limits, findings: stopsIn(evidence) });
  if (outcome) return { ...stop(evidence, outcome), ...noticed(evidence) };
  const failed = context.verification?.passed === false;
  const said = [failed && report ? checksFeedback(report) : null, isGoingOn(evidence) ? CUT_OFF : null, ...nudges(evidence)];
  return { ...goOnWithin(evidence, { ...goOnWithTurn(evidence), ...feedback(said) }), ...noticed(evidence) };
}

/** Nothing is begun that what is left has no room for. */
function goOnWithin(evidence: Evidence<Life>, decision: Decision): Decision {
  const limit = unaffordable(evidence.context, evidence.next, decision.feedback);
  return limit ? stop(evidence, { ending: 'budget', limit }) : decision;
}

function goOnWithTurn(evidence: Evidence<TurnContext>): Decision {
  const { context } = evidence;
  if (isAmended(context)) {
    return { action: 'continue', reason: HAS_SAID_MORE, evidence: evidenceOf(evidence, context.steered ?? undefined) };
  }
  if (context.finished !== null) {
    const reason = context.verification?.passed === false ? 'the finished work failed its checks' : 'no check has proven the finished work';
    return { action: 'continue', reason, evidence: evidenceOf(evidence, context.verification?.version) };
  }
  if (isGoingOn(evidence)) {
    return { action: 'continue', reason: 'the answer was ended early', evidence: evidenceOf(evidence, context.answer?.version) };
  }
  if (evidence.chant != null) return { action: 'continue', reason: 'the answer was cut off: it said the same over and over', evidence: evidenceOf(evidence, evidence.chant) };
  if (context.compacted) return { action: 'continue', reason: 'the conversation was full again right after it was summarised', evidence: evidenceOf(evidence, undefined) };
  return { action: 'continue', reason: context.spend.steps === 0 ? 'the first step' : 'the calls are answered', evidence: [] };
}

const CUT_OFF = 'Your last answer was ended before you had finished it. Go on from where it stops.';

/** An answer that was ended early, and asked for nothing, is to be gone on with. */
const isGoingOn = ({ context, isCut }: Evidence<TurnContext>): boolean =>
  isCut && context.finished === null && context.answer?.calls === 0;

const stopsIn = ({ findings }: Evidence<Life>): Finding[] => findings.filter(({ level }) => level === 'stop');

const nudges = ({ findings }: Evidence<Life>): string[] =>
  findings.filter(({ level }) => level === 'nudge').map(({ message }) => `You may be going in circles: ${message}. Try something else.`);

/** What detectors have said is recorded with the decision it bears on. */
const noticed = ({ findings }: Evidence<Life>): Pick<Decision, 'findings'> => (findings.length > 0 ? { findings: [...findings] } : {});

function feedback(parts: readonly (string | null | undefined)[]): Pick<Decision, 'feedback'> {
  const said = parts.filter((part) => part != null);
  return said.length > 0 ? { feedback: said.join('\n\n') } : {};
}

/** A strategy's word on the iteration that is over, with the name it goes by. */
export interface Advice {
  readonly strategy: string;
  readonly decision: LoopDecision;
}

/**
 * Whether a loop of attempts goes on. The strategy is heard after every iteration. It cannot overrule a proof, a cap or a
 * finding; but work that it may call finished is a success, and a success comes before what else was reached meanwhile.
 */
export function judgeIteration(evidence: Evidence<IterationContext>, advice: Advice | null): Decision {
  const { context } = evidence;
  const limits = reachedBy(evidence, context.iterations);
  const success = isSteered(context) ? null : proven(context);
  const facts = endingOfFacts({ reached: limits, findings: stopsIn(evidence) });
  const outcome = abortOf(context) ?? success ?? strongest([facts, stoppedBy(advice, evidence, limits)]);
  const words = advice ? { strategy: { name: advice.strategy, metadata: advice.decision.metadata ?? null } } : {};
  // A proof speaks for itself.
  if (outcome) {
    const reason = outcome === success ? undefined : advice?.decision.reason;
    return { ...stop(evidence, outcome, reason), ...words, ...noticed(evidence) };
  }
  if (!advice) return goOnWithin(evidence, { action: 'continue', reason: 'the first iteration', evidence: [] });
  const reason = advice.decision.continue ? advice.decision.reason : HAS_SAID_MORE;
  const goOn: Decision = {
    action: 'continue',
    reason,
    evidence: evidenceOf(evidence, context.verification?.version ?? context.attempt?.version),
    ...feedback([advice.decision.feedback, ...nudges(evidence)]),
  };
  return { ...goOnWithin(evidence, goOn), ...words, ...noticed(evidence) };
}

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
    evidence: evidenceOf(evidence, context.verification?.version ?? context.attempt?.version),
    best: iterations.best(),
    evidenceOf: (these) => iterations.shownBy(these).map(idOf),
  });
  // What the deadline has cut short was not finished, whoever claims that it was.
  return outcome.ending === 'success' && context.deadlinePassed ? null : outcome;
}

function abortOf({ abort, fault }: Life): Outcome | null {
  if (abort) {
    const code = abort.cause === 'error' ? { code: 'actor_failed', message: abort.reason ?? 'an actor failed' } : null;
    return { ending: 'abort', cause: abort.cause, fault: code };
  }
  return fault && fault.fault.code !== BUDGET_EXHAUSTED ? { ending: 'abort', cause: 'error', fault: fault.fault } : null;
}

/** What a person has said meanwhile is part of the task: no work is finished before it was heard. */
const isSteered = ({ steered }: Life): boolean => steered !== null;
const HAS_SAID_MORE = 'a person has said more';

/** A turn of zero steps answers once, whatever is said. */
const isAmended = (life: Life): boolean => isSteered(life) && life.limits.maxSteps !== 0;

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

/** A turn of zero steps still answers once; a tool budget ends a turn that wants more calls, not one that is finished. */
function countsForTurn({ name }: ReachedLimit, { spend, finished }: TurnContext): boolean {
  if (name === 'time_ms') return true;
  return spend.steps > 0 && (name !== 'tool_calls' || finished === null);
}

function reachedBy({ context, at }: Evidence<Life>, iterations: number): ReachedLimit[] {
  return reached(context.limits, usedBy(context, at, iterations));
}

function stop(evidence: Evidence<Life>, sink: Outcome, strategyReason?: string): Decision {
  const { context } = evidence;
  const reason = sentinelOf(sink)?.text ?? wordsFor(sink, context);
  const version = sink.ending === 'abort' ? (context.abort ?? context.fault)?.version : context.verification?.version;
  return {
    action: 'stop',
    sink,
    reason: strategyReason && sink.ending !== 'abort' ? `${reason}; ${strategyReason}` : reason,
    evidence: evidenceFor(sink, evidence, version),
  };
}

function evidenceFor(sink: Outcome, evidence: Evidence<Life>, version: number | undefined): string[] {
  if (sink.ending === 'doom_loop') return sink.finding.evidence;
  if (sink.ending !== 'success' || !sink.accepted) return evidenceOf(evidence, version);
  return evidence.iterations.shownBy([sink.accepted.iteration]).map(evidence.idOf);
}

function wordsFor(sink: Outcome, { abort, hasChecks }: Life): string {
  if (sink.ending === 'success') return successWords(sink, hasChecks);
  if (sink.ending !== 'abort') return sink.ending;
  return sink.fault?.message ?? abort?.reason ?? `aborted by ${sink.cause}`;
}

function successWords({ verified, partial, accepted }: Extract<Outcome, { ending: 'success' }>, checksAsked: boolean): string {
  if (verified) return 'the checks passed';
  if (!partial) return checksAsked ? 'finished, though no check has proven the work' : 'finished; nothing was asked to be checked';
  const which = accepted ? `iteration ${accepted.iteration + 1}` : 'the best iteration';
  return `accepted as it is: ${which}${accepted?.failing.length ? `, which still fails ${accepted.failing.join(', ')}` : ''}`;
}

const evidenceOf = ({ idOf, version }: Evidence<Life>, of: number | undefined): string[] => [idOf(of ?? version)];
