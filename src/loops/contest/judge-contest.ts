import type { ContestContext } from '../../../machines/contest-lanes.ts';
import type { Fault, Outcome, ReachedLimit } from '../../../machines/outcome.ts';
import { LIMIT_OF } from '../../budget/limit-use.ts';
import { HAS_SAID_MORE, isSteered, judgeInOrder, proven, reachedBy } from '../../judging/judge-in-order.ts';
import { anotherRound, type Decision, type Evidence } from '../../kernel/decision.ts';
import type { ContestMemory } from './contest-memory.ts';

type ContestEvidence = Evidence<ContestContext, ContestMemory>;

/**
 * Decides whether the contest is over: it is where the change of the winner has passed in the workspace, or, without
 * checks, lies there; and where no attempt is left. Attempts that all ended for one reason end it for that reason.
 */
export function judgeContest(evidence: ContestEvidence): Decision {
  const { context, memory } = evidence;
  const success = isSteered(context) ? null : won(evidence);
  const decision = judgeInOrder(evidence, {
    fault: context.iterations > 0 && success === null ? commonFault(memory) : null,
    success,
    reached: [...reachedBy(evidence), ...starved(evidence)],
    remark: context.iterations > 0 ? 'no attempt has won' : undefined,
    otherwise: () => another(evidence),
  });
  const winner = memory.leader();
  return decision.sink?.ending === 'success' && winner
    ? { ...decision, reason: `attempt ${winner.lane} of ${context.iterations} has won: ${decision.reason}` }
    : decision;
}

function won(evidence: ContestEvidence): Outcome | null {
  const { context } = evidence;
  const { brought, leader, hasChecks } = context;
  if (brought === null || brought.lane !== leader) return null;
  return hasChecks ? proven(evidence) : { ending: 'success', verified: null, partial: false };
}

/** The fault by which every attempt has ended: a key that is refused, an agent that is not installed. */
function commonFault(memory: ContestMemory): Fault | null {
  const faults = memory
    .all()
    .map(({ outcome }) => (outcome?.ending === 'abort' && outcome.cause === 'error' ? outcome.fault : null));
  return faults.every((fault) => fault !== null) ? (faults[0] ?? null) : null;
}

/** The budget, where each attempt has used up its part of it. */
function starved({ context: { limits, iterations }, memory, used }: ContestEvidence): ReachedLimit[] {
  const [first, ...others] = memory.all().map(({ outcome }) => (outcome?.ending === 'budget' ? outcome.limit : null));
  if (iterations === 0 || !first || others.includes(null) || first.name === 'tool_calls') return [];
  const limit = limits[LIMIT_OF[first.name]] ?? null;
  if (limit === null) return [];
  return [{ name: first.name, used: first.name === 'tokens' ? used.tokens : used.nanoUsd, limit }];
}

function another(evidence: ContestEvidence): Decision {
  const { iterations, steered } = evidence.context;
  if (iterations === 0) return { action: 'continue', reason: 'the first attempt', evidence: [] };
  return anotherRound(evidence, steered === null ? 'no attempt has won yet' : HAS_SAID_MORE);
}
