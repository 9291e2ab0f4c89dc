import type { Accepted, Ending, Finding, Outcome, ReachedLimit, Verified } from '../../machines/outcome.ts';
import { head } from '../config/excerpt.ts';
import type { LoopDecision } from './decision.ts';
import type { FinalResult } from './strategy.ts';

const MAX_REASON_CHARS = 500;

/** What is known, strategy apart, when a strategy stops a loop. */
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
  /** The iteration that came furthest. */
  readonly best: Accepted | null;
  /** Ids of the events that show how these iterations went. */
  readonly evidenceOf: (iterations: readonly number[]) => readonly string[];
}

/**
 * The ending of a loop that its strategy stops: from the decision's `action` and the facts, never from the text of its
 * reason.
 *
 * Passed checks are a success whatever the strategy says, failed ones only where it takes the best there is (`partial`).
 * `complete` without either is an unverified success. `timeout` is the cap that was reached, or the strategy's own limit. What the strategy has noticed is the finding of a `doom_loop`; a stop
 * that neither an action nor a fact explains is one too, with the finding `strategy-stop`: success has to be claimed or
 * proven.
 */
export function endingOf(decision: LoopDecision, facts: EndingFacts): Outcome {
  if (facts.verified) return { ending: 'success', verified: facts.verified, partial: false };
  if (decision.partial && facts.best) return { ending: 'success', verified: null, partial: true, accepted: facts.best };
  const finding = findingOf(decision, facts);
  if (decision.action === 'fail') return { ending: 'doom_loop', finding };
  if (decision.action === 'complete' && !facts.checksFailed) {
    return { ending: 'success', verified: null, partial: false };
  }
  if (decision.action === 'timeout') return { ending: 'cap_hit', limit: facts.reached.find(isCap) ?? ownLimit(decision, facts) };
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

/** Of several endings that hold at once, the one that is told; of two alike the first. */
export function strongest(outcomes: readonly (Outcome | null)[]): Outcome | null {
  const held = outcomes.filter((outcome) => outcome !== null);
  return PRECEDENCE.map((ending) => held.find((outcome) => outcome.ending === ending)).find((outcome) => outcome) ?? null;
}

/** Steps, iterations and time end in `cap_hit`; tool calls and tokens are budgets. */
const isCap = ({ name }: ReachedLimit): boolean =>
  name === 'steps' || name === 'iterations' || name === 'time_ms';

/** What a strategy is told about an ending. */
export function finalResult(outcome: Outcome): FinalResult {
  switch (outcome.ending) {
    case 'success':
      return 'success';
    case 'cap_hit':
      return outcome.limit.name === 'time_ms' ? 'timeout' : 'max_iterations';
    case 'doom_loop':
    case 'budget':
      return 'strategy_stop';
    case 'abort':
      return 'error';
  }
}

/** The limit of a strategy that counts for itself; the time where it does not say which, as that is what a timeout is. */
function ownLimit({ limit }: LoopDecision, { totalIterations, elapsedMs }: EndingFacts): ReachedLimit {
  const { name, limit: most } = limit ?? { name: 'time_ms', limit: elapsedMs };
  return { name, used: name === 'iterations' ? totalIterations : elapsedMs, limit: most };
}

/** What the strategy has noticed, or that it stopped for a reason of its own. */
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
