import { ruleValue } from '../../../machines/improvement-options.ts';
import { hasNext } from '../../../machines/improvement-progress.ts';
import { EXHAUSTED } from '../../../machines/exhaustion.ts';
import type { Finding, Outcome } from '../../../machines/outcome.ts';
import { REPORTING_DETECTORS } from '../../detectors/detector-kinds.ts';
import { isSteered, judgeInOrder, reachedBy } from '../../judging/judge-in-order.ts';
import { anotherRound, type Decision } from '../../kernel/decision.ts';
import { amount } from '../../text/money.ts';
import { budgetReached, type ImprovementEvidence } from './budget-rule.ts';
import { whyNothing } from './last-look.ts';
import type { ImprovementMemory } from './memory.ts';

const NOTHING_LEFT = 'nothing is left to try: neither the tree nor a source changes';
const LISTED = 'experiments are off, so what was found is only listed';

/** From so many iterations on, the rate of improvements counts. */
const RATE_FROM = 5;

/**
 * Decides after each phase that is over: the next candidate, the next iteration, or the end. A night is named by what
 * came of it: with an improvement kept it is a success, and what ended it is the reason.
 */
export function judgeImprovement(evidence: ImprovementEvidence): Decision {
  const { context } = evidence;
  // Detectors watch each experiment; whether the night goes on is for its own rules, and the tier of grounds has ruled
  // on what a candidate has changed of them.
  const watched = {
    ...evidence,
    findings: evidence.findings.filter(({ level, detector }) => level !== 'stop' && !REPORTING_DETECTORS.has(detector)),
  };
  // The iteration that runs is not over while it has candidates.
  const caps = reachedBy(evidence).filter(({ name }) => name !== 'iterations' || !hasNext(context));
  const budget = budgetReached(evidence);
  const stops = hasNext(context) ? null : stoppedByRule(evidence);
  const decision = judgeInOrder(watched, {
    success: enoughFound(evidence),
    reached: budget ? [...caps, budget] : caps,
    advised: stops && { ending: 'doom_loop', finding: stops },
    otherwise: () => goesOn(evidence),
  });
  return namedByWhatCame(decision, evidence);
}

/** As many improvements as were wanted, and no person has said more. */
function enoughFound(evidence: ImprovementEvidence): Outcome | null {
  const { context, memory } = evidence;
  const wanted = ruleValue(memory.options, 'improvements-found');
  const isEnough = wanted !== null && context.improvements >= Math.max(1, wanted);
  return isEnough && !hasNext(context) && !isSteered(context) ? successOf(evidence) : null;
}

/** What an end is called: an abort keeps its name, and says what was kept. */
function namedByWhatCame(decision: Decision, evidence: ImprovementEvidence): Decision {
  const { sink, reason } = decision;
  const { improvements } = evidence.context;
  if (!sink) return decision;
  const kept = `${amount(improvements, 'improvement')} kept`;
  if (sink.ending === 'abort') return improvements === 0 ? decision : { ...decision, reason: `${reason}; ${kept}` };
  if (improvements > 0)
    return { ...decision, sink: successOf(evidence), reason: `${kept}; ${whyOver(decision, evidence)}` };
  const nothing = nothingToKeep(evidence);
  return nothing === null || sink.ending !== 'doom_loop'
    ? decision
    : { ...decision, sink: { ending: 'success', verified: null, partial: false }, reason: nothing };
}

/** The reason why it is over: by the rule or the cap that ended it. */
function whyOver({ sink, reason }: Decision, { context, memory }: ImprovementEvidence): string {
  if (sink?.ending === 'doom_loop') return sink.finding.message;
  if (sink?.ending !== 'cap_hit') return sink?.ending === 'success' ? 'as many as were wanted' : reason;
  if (sink.limit.name === 'time_ms') return 'the time is over';
  return context.isExhausted
    ? whyExhausted(memory)
    : `${amount(context.iterations, 'iteration')} ${context.iterations === 1 ? 'is' : 'are'} over`;
}

/**
 * Why a night that has kept nothing is no failure. Null: it is one. There was nothing to do, as far as every source
 * could be read and the checks pass; or what was done lies on branches, where nothing shows it.
 */
function nothingToKeep({ context: { isExhausted }, memory }: ImprovementEvidence): string | null {
  const { apart, tried, look, isSound } = memory;
  if (!isExhausted) return null;
  if (apart > 0)
    return apart === 1
      ? 'nothing was kept: 1 change is not shown, and lies on a branch of its own'
      : `nothing was kept: ${apart} changes are not shown, and lie on branches of their own`;
  const isAllRead = look.sources.every(({ fault }) => !fault);
  if (tried.length > 0 || !isAllRead || !isSound) return null;
  return look.refused > 0 ? `nothing was found to improve: ${whyExhausted(memory)}` : whyExhausted(memory);
}

/** Something was kept: the verdict on the newest change stands for all of them, with the least of their grades. */
function successOf({ context: { kept }, memory: { integrated, grade } }: ImprovementEvidence): Outcome {
  // Runs from before changes had a grade go by the newest checks on the tree of the loop.
  const verified = integrated && grade ? { ...integrated, grade } : kept;
  return { ending: 'success', verified, partial: false };
}

function goesOn(evidence: ImprovementEvidence): Decision {
  const { context, memory } = evidence;
  const next = hasNext(context) ? memory.candidate(context.queue[0]) : null;
  if (next) return anotherRound(evidence, `${amount(context.queue.length, 'candidate')} left; the next: ${next.title}`);
  const { result } = context;
  if (!result) return { action: 'continue', reason: 'the first iteration', evidence: [] };
  return anotherRound(evidence, `iteration ${context.iterations}: ${result.type}`, result.version);
}

/** The rules by which the loop gives up. */
function stoppedByRule(evidence: ImprovementEvidence): Finding | null {
  const { context, memory, idOf } = evidence;
  const { iterations, improvedAt, improvements, isExhausted, result } = context;
  if (!result) return null;
  const misses = iterations - improvedAt;
  const found = (detector: string, count: number, message: string): Finding => ({
    detector,
    level: 'stop',
    count,
    message,
    evidence: [idOf(result.version)],
  });
  if (isExhausted) return found(EXHAUSTED, iterations, whyExhausted(memory));
  const most = ruleValue(memory.options, 'consecutive-failures');
  if (most !== null && misses >= Math.max(1, most))
    return found('consecutive-failures', misses, missesText(misses, evidence));
  const least = ruleValue(memory.options, 'rate-threshold');
  if (least !== null && iterations >= RATE_FROM && improvements / iterations < least)
    return found('rate-threshold', iterations, `fewer than ${least} improvements an iteration`);
  const cap = ruleValue(memory.options, 'max-iterations');
  return cap !== null && iterations >= cap
    ? found('max-iterations', iterations, `${amount(iterations, 'iteration')}, as the rule says`)
    : null;
}

/** Why another iteration would come to the same. */
const whyExhausted = ({ options, look }: ImprovementMemory): string =>
  options.phases.experiment.enabled ? (whyNothing(look, options) ?? NOTHING_LEFT) : LISTED;

function missesText(misses: number, { context: { result }, memory: { look, options } }: ImprovementEvidence): string {
  const why = result?.type === 'no-candidates' ? whyNothing(look, options) : null;
  return `${amount(misses, 'iteration')} in a row without an improvement${why === null ? '' : `: ${why}`}`;
}
