import type { Life } from '../../machines/life.ts';
import type { Fault, Finding, Outcome, ReachedLimit, Verified } from '../../machines/outcome.ts';
import { BUDGET_EXHAUSTED } from '../budget/allowance.ts';
import { reached } from '../budget/limit-use.ts';
import { endingOfFacts, strongest } from './ending.ts';
import { REPORTING_DETECTORS } from '../detectors/detector-kinds.ts';
import { REPETITIONS } from '../strategies/repetition.ts';
import { unaffordable } from './affordability.ts';
import { type Evidence, type Decision, stop } from '../kernel/decision.ts';

// What the judges of all loops share: from evidence alone, first whether something ends the run, in the order abort,
// success, caps, findings, budgets; else why it continues, and whether the budget has room for that.

/** The part of a judgement that is specific to a loop. */
export interface Judging {
  /** Why the run cannot go on, though no effect has failed. */
  readonly fault?: Fault | null;
  /** The outcome where the work is done and accepted; null where it is not. */
  readonly success: Outcome | null;
  /** The limits that count now. Absent: all that are reached. */
  readonly reached?: readonly ReachedLimit[];
  /** The outcome where the strategy stops the run. */
  readonly advised?: Outcome | null;
  /** The strategy's reason, appended to the reason of an ending. Not to `success`, nor to a detector's repetition. */
  readonly remark?: string | undefined;
  /** The decision for another round: its reason, and the feedback in its prompt. Called where nothing ends the run. */
  readonly otherwise: () => Decision;
}

/**
 * Decides in the order that every loop shares: abort, success, caps, findings, budgets; else another round, if the
 * budget has room for it.
 *
 * @example
 * judge: (evidence) =>
 *   judgeInOrder(evidence, {
 *     success: approved(evidence),
 *     otherwise: () => anotherRound(evidence, 'not approved yet'),
 *   }),
 */
export function judgeInOrder(
  evidence: Evidence,
  { fault = null, success, reached: limits = reachedBy(evidence), advised = null, ...more }: Judging,
): Decision {
  const facts = endingOfFacts({ reached: limits, findings: stopsIn(evidence) });
  const outcome = abortOf(evidence.context) ?? faulted(fault) ?? success ?? strongest([facts, advised]);
  const words = outcome === success || isSameRepetition(outcome, advised) ? undefined : more.remark;
  const decision = outcome ? stop(evidence, outcome, words) : goesOn(evidence, more.otherwise);
  return { ...decision, ...noticed(evidence) };
}

/** A detector and the strategy have both found that the run repeats itself: the detector's message says it. */
const isSameRepetition = (outcome: Outcome | null, advised: Outcome | null): boolean =>
  outcome !== advised &&
  outcome?.ending === 'doom_loop' &&
  advised?.ending === 'doom_loop' &&
  !REPORTING_DETECTORS.has(outcome.finding.detector) &&
  REPETITIONS.has(advised.finding.detector);

const faulted = (fault: Fault | null): Outcome | null => fault && { ending: 'abort', cause: 'error', fault };

/** The checks run on the base before the first round. */
const goesOn = (evidence: Evidence, otherwise: () => Decision): Decision =>
  evidence.context.baseline === 'owed'
    ? { action: 'continue', reason: 'the checks run first on what is there', evidence: [] }
    : continueWithin(evidence, otherwise());

/** Ends the run where the rest of the budget has no room for another round. */
function continueWithin(evidence: Evidence, decision: Decision): Decision {
  const limit = unaffordable(evidence.context, evidence.next, decision.feedback);
  return limit ? stop(evidence, { ending: 'budget', limit }) : decision;
}

function abortOf({ abort, fault }: Life): Outcome | null {
  if (abort) {
    const code = abort.cause === 'error' ? { code: 'actor_failed', message: abort.reason ?? 'an actor failed' } : null;
    return { ending: 'abort', cause: abort.cause, fault: code };
  }
  return fault && fault.fault.code !== BUDGET_EXHAUSTED
    ? { ending: 'abort', cause: 'error', fault: fault.fault }
    : null;
}

/** Success where the checks have passed on the workspace as it is now: they prove no other content. */
export function proven({ context, grade, enough }: Pick<Evidence, 'context' | 'grade' | 'enough'>): Outcome | null {
  const { verification, workspace } = context;
  if (!verification?.passed || verification.workspace !== workspace) return null;
  const graded = grade ? { grade, ...(enough === null ? {} : { enough }) } : {};
  const verified: Verified = { version: verification.version, workspace, ...graded };
  return { ending: 'success', verified, partial: false };
}

/** A steering text is part of the task: work is not finished before the model has received it. */
export const isSteered = ({ steered }: Life): boolean => steered !== null;
export const HAS_SAID_MORE = 'a person has said more';

/** Every limit that is used up. */
export const reachedBy = ({ context, used }: Evidence): ReachedLimit[] => reached(context.limits, used);

/** Findings that end a run. */
export const stopsIn = ({ findings }: Evidence): Finding[] => findings.filter(({ level }) => level === 'stop');

/** The nudges for the next prompt: each report, and of several for going in circles the first. */
export function nudges({ findings }: Pick<Evidence, 'findings'>): string[] {
  const all = findings.filter(({ level }) => level === 'nudge');
  const reports = all.filter(({ detector }) => REPORTING_DETECTORS.has(detector));
  const [circling] = all.filter(({ detector }) => !REPORTING_DETECTORS.has(detector));
  return [
    ...reports.map(({ message }) => `${message.charAt(0).toUpperCase()}${message.slice(1)}.`),
    ...(circling ? [`You may be going in circles: ${circling.message}. Try something else.`] : []),
  ];
}

/** Findings are recorded with the decision that they bear on. */
const noticed = ({ findings }: Evidence): Pick<Decision, 'findings'> =>
  findings.length > 0 ? { findings: [...findings] } : {};

/** The feedback for the next prompt, joined from the parts that are present. */
export function feedback(parts: readonly (string | null | undefined)[]): Pick<Decision, 'feedback'> {
  const said = parts.filter((part) => part != null);
  return said.length > 0 ? { feedback: said.join('\n\n') } : {};
}
