import { ruleValue } from '../../../machines/improvement-options.ts';
import { hasNext } from '../../../machines/improvement-progress.ts';
import { EXHAUSTED } from '../../../machines/exhausted.ts';
import type { Finding, Outcome, ReachedLimit } from '../../../machines/outcome.ts';
import { REPORTING_DETECTORS } from '../../detectors/detector-kinds.ts';
import { isSteered, judgeInOrder, reachedBy } from '../../judging/judge-in-order.ts';
import { anotherRound, type Decision } from '../../kernel/decision.ts';
import { amount } from '../../text/amount.ts';
import { budgetReached } from './budget-rule.ts';
import type { ImprovementEvidence } from './improvement-evidence.ts';
import { whyNothing } from './last-look.ts';
import type { ImprovementMemory } from './memory.ts';

const NOTHING_LEFT = 'nothing is left to try: neither the tree nor a source changes';
const LISTED = 'experiments are off, so what was found is only listed';

/** From so many iterations on, the rate of improvements counts. */
const RATE_FROM = 5;

/**
 * Decides after each phase that is over: the next candidate, the next iteration, or the end. With an improvement kept,
 * running out of iterations, of time or of things to improve is a success.
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
  const success = successOf(evidence, caps);
  const decision = judgeInOrder(watched, {
    success,
    reached: budget ? [...caps, budget] : caps,
    advised: stops && { ending: 'doom_loop', finding: stops },
    otherwise: () => goesOn(evidence),
  });
  return success !== null && decision.sink === success
    ? { ...decision, reason: `${amount(context.improvements, 'improvement')} kept; ${whyOver(evidence, caps)}` }
    : decision;
}

function whyOver({ context, memory }: ImprovementEvidence, caps: readonly ReachedLimit[]): string {
  if (context.isExhausted) return whyExhausted(memory);
  const [cap] = caps;
  if (cap?.name === 'time_ms') return 'the time is over';
  return context.improvements >= (ruleValue(memory.options, 'improvements-found') ?? Infinity)
    ? 'as many as were wanted'
    : `${amount(context.iterations, 'iteration')} ${context.iterations === 1 ? 'is' : 'are'} over`;
}

function goesOn(evidence: ImprovementEvidence): Decision {
  const { context, memory } = evidence;
  const next = hasNext(context) ? memory.candidate(context.queue[0]) : null;
  if (next) return anotherRound(evidence, `${amount(context.queue.length, 'candidate')} left; the next: ${next.title}`);
  const { result } = context;
  if (!result) return { action: 'continue', reason: 'the first iteration', evidence: [] };
  return anotherRound(evidence, `iteration ${context.iterations}: ${result.type}`, result.version);
}

/** Something was kept, and there is no more room, no more to find, or as much was wanted. */
function successOf(evidence: ImprovementEvidence, caps: readonly ReachedLimit[]): Outcome | null {
  const { context, memory } = evidence;
  if (context.improvements === 0 || hasNext(context)) return null;
  const wanted = ruleValue(memory.options, 'improvements-found');
  const isEnough = wanted !== null && context.improvements >= wanted && !isSteered(context);
  const isOver =
    isEnough ||
    context.isExhausted ||
    caps.some(({ name }) => name === 'iterations' || name === 'time_ms') ||
    context.iterations >= (ruleValue(memory.options, 'max-iterations') ?? Infinity);
  return isOver ? { ending: 'success', verified: verifiedIn(evidence), partial: false } : null;
}

/** The newest checks, where they passed on the tree of the loop; without an evaluation, the approval of a person. */
function verifiedIn({ context: { kept, workspace, phases, result }, memory, version }: ImprovementEvidence) {
  if (!phases.evaluate.enabled) return { version: result?.version ?? version, workspace, grade: 'weak' as const };
  return kept && { ...kept, ...(memory.grade ? { grade: memory.grade } : {}) };
}

/** The rules by which the loop gives up. */
function stoppedByRule(evidence: ImprovementEvidence): Finding | null {
  const { context, memory, idOf } = evidence;
  const { iterations, improvedAt, improvements, isExhausted, result } = context;
  if (!result) return null;
  const misses = iterations - improvedAt;
  const kept = `${amount(improvements, 'improvement')} in all`;
  const found = (detector: string, count: number, message: string): Finding => ({
    detector,
    level: 'stop',
    count,
    message: `${message}; ${kept}`,
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
