import { ruleValue } from '../../../machines/improvement-options.ts';
import { nextIsSpare } from '../../../machines/improvement-lanes.ts';
import { roomBehind } from '../../../machines/improvement-room.ts';
import { hasNext, type ImprovementContext } from '../../../machines/improvement-progress.ts';
import type { ReachedLimit } from '../../../machines/outcome.ts';
import { leftFor } from '../../budget/allowance.ts';
import type { Evidence } from '../../kernel/decision.ts';
import type { ImprovementMemory } from './memory.ts';

/**
 * The limit by which the loop ends: its share of the budget is used, or what is left has no room for an experiment and
 * the phases behind it.
 */
export function budgetReached(evidence: ImprovementEvidence): ReachedLimit | null {
  return tokensReached(evidence) ?? moneyReached(evidence);
}

function tokensReached({ context, memory, used }: ImprovementEvidence): ReachedLimit | null {
  const { maxTokens } = context.limits;
  if (maxTokens === null) return null;
  const limit = Math.floor((ruleValue(memory.options, 'budget-exceeded') ?? 1) * maxTokens);
  if (used.tokens >= limit && context.iterations > 0) return { name: 'tokens', used: used.tokens, limit };
  const { experiment, discovery } = memory.options.phases;
  const behind = experiment.enabled ? roomBehind(memory.options.phases).tokens : 0;
  const forExperiment = experiment.enabled && !nextIsSpare(context) ? experiment.estimateTokens : 0;
  const needed = forExperiment + behind + (hasNext(context) ? 0 : discovery.estimateTokens);
  const left = Math.min(leftFor(context).tokens ?? Infinity, limit - used.tokens);
  return left < needed ? { name: 'tokens', used: used.tokens, limit, next: needed } : null;
}

/** The prices of the commands that evaluate are known before: none is run that there is no money for. */
function moneyReached({ context, memory, used }: ImprovementEvidence): ReachedLimit | null {
  const limit = context.limits.maxCostNanoUsd ?? null;
  const { experiment } = memory.options.phases;
  const next = experiment.enabled ? roomBehind(memory.options.phases).nanoUsd : 0;
  if (limit === null || (leftFor(context).nanoUsd ?? Infinity) >= next) return null;
  return { name: 'cost_nano_usd', used: used.nanoUsd, limit, next };
}

/** What the judge of the improvement loop and its rules rest on. */
export type ImprovementEvidence = Evidence<ImprovementContext, ImprovementMemory>;
