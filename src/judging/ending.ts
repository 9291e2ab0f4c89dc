import type { Accepted, Ending, Finding, Outcome, ReachedLimit, Verified } from '../../machines/outcome.ts';
import { head } from '../text/excerpt.ts';
import type { LoopDecision } from '../strategies/loop-decision.ts';

const MAX_REASON_CHARS = 500;

/** The facts at the moment when a strategy stops a loop. */
export interface EndingFacts {
  readonly strategy: string;
  readonly totalIterations: number;
  /** How long the run has worked, in milliseconds. */
  readonly elapsedMs: number;
  /** The checks that passed on the workspace as it is. */
  readonly verified: Verified | null;
  /** Checks ran on this iteration and did not pass. */
  readonly checksFailed: boolean;
  readonly reached: readonly ReachedLimit[];
  /** Findings of level `stop`. */
  readonly findings: readonly Finding[];
  /** Ids (`RUN/version`) of the events the decision rests on. */
  readonly evidence: readonly string[];
  /** The best iteration. */
  readonly best: Accepted | null;
  /** Ids of the events that show the results of these iterations. */
  readonly evidenceOf: (iterations: readonly number[]) => readonly string[];
}

/**
 * The ending of a loop that its strategy stops: from the decision's `action` and the facts, never from the text of its
 * reason.
 *
 * Passed checks are a success whatever the strategy says; failed ones only where it accepts the best result so far
 * (`partial`). `complete` without either is an unverified success. `timeout` is the cap that was reached, or the
 * strategy's own limit. The strategy's finding is that of the `doom_loop`; a stop that neither an action nor a fact
 * explains is a `doom_loop` too, with the finding `strategy-stop`: success has to be claimed or proven.
 */
export function endingOf(decision: LoopDecision, facts: EndingFacts): Outcome {
  if (facts.verified) return { ending: 'success', verified: facts.verified, partial: false };
  if (decision.partial && facts.best) return { ending: 'success', verified: null, partial: true, accepted: facts.best };
  const finding = findingOf(decision, facts);
  if (decision.action === 'fail') return { ending: 'doom_loop', finding };
  if (decision.action === 'complete' && !facts.checksFailed) {
    return { ending: 'success', verified: null, partial: false };
  }
  if (decision.action === 'timeout')
    return { ending: 'cap_hit', limit: facts.reached.find(isCap) ?? ownLimit(decision, facts) };
  const findings = decision.finding ? [...facts.findings, finding] : facts.findings;
  return endingOfFacts({ reached: facts.reached, findings }) ?? { ending: 'doom_loop', finding };
}

/** The strongest limit or finding: a cap, then a finding, then a budget. Null where there is none. */
export function endingOfFacts({ reached, findings }: Pick<EndingFacts, 'reached' | 'findings'>): Outcome | null {
  const cap = reached.find(isCap);
  if (cap) return { ending: 'cap_hit', limit: cap };
  const [finding] = findings;
  if (finding) return { ending: 'doom_loop', finding };
  const [budget] = reached;
  return budget ? { ending: 'budget', limit: budget } : null;
}

const PRECEDENCE = ['abort', 'success', 'cap_hit', 'doom_loop', 'budget'] as const satisfies readonly Ending[];

/** The ending that is recorded where several hold at once; of two alike the first. */
export function strongest(outcomes: readonly (Outcome | null)[]): Outcome | null {
  const held = outcomes.filter((outcome) => outcome !== null);
  return (
    PRECEDENCE.map((ending) => held.find((outcome) => outcome.ending === ending)).find((outcome) => outcome) ?? null
  );
}

/** Steps, iterations and time end in `cap_hit`; tool calls and tokens are budgets. */
const isCap = ({ name }: ReachedLimit): boolean => name === 'steps' || name === 'iterations' || name === 'time_ms';

/** The strategy's own limit; the time worked where the strategy names none. */
function ownLimit({ limit }: LoopDecision, { totalIterations, elapsedMs }: EndingFacts): ReachedLimit {
  const { name, limit: most } = limit ?? { name: 'time_ms', limit: elapsedMs };
  return { name, used: name === 'iterations' ? totalIterations : elapsedMs, limit: most };
}

/** The strategy's finding; without one, that it stopped for a reason of its own. */
function findingOf({ finding, reason }: LoopDecision, facts: EndingFacts): Finding {
  const { strategy, totalIterations, evidence } = facts;
  if (!finding) {
    const message = `strategy ${strategy} stopped the loop: ${head(reason, MAX_REASON_CHARS)}`;
    return { detector: 'strategy-stop', level: 'stop', count: totalIterations, message, evidence: [...evidence] };
  }
  const { detector, message, iterations } = finding;
  const shown = facts.evidenceOf(iterations);
  return {
    detector,
    level: 'stop',
    count: iterations.length,
    message: head(message, MAX_REASON_CHARS),
    evidence: [...(shown.length > 0 ? shown : evidence)],
  };
}
