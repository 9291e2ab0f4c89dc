import { usageOf } from '../../../../machines/life.ts';
import { tokensOf } from '../../../budget/limit-use.ts';
import type { Fact } from '../../../kernel/effect-handlers.ts';
import { NO_COSTS, type PhaseCosts, type PhaseName, withCost } from './iteration-result.ts';

/** What was spent in each phase. */
export interface Spent {
  /** Input and output, as they were counted, or estimated where they were not. */
  readonly cost: PhaseCosts;
  /** Billionths of a US dollar, over what had a price. Absent: nothing had one. */
  readonly costNanoUsd?: PhaseCosts;
}

export const NOTHING_SPENT: Spent = { cost: NO_COSTS };

/** What was spent, with what a fact says about one phase. */
export function withSpent({ cost, costNanoUsd }: Spent, phase: PhaseName, fact: Fact): Spent {
  const { tokens, nanoUsd } = amountsIn(fact);
  return {
    cost: withCost(cost, phase, tokens),
    ...(costNanoUsd || nanoUsd !== null ? { costNanoUsd: withCost(costNanoUsd ?? NO_COSTS, phase, nanoUsd ?? 0) } : {}),
  };
}

/** The tokens of a fact, and their price where it is known: of an own model call, or of a whole child run. */
function amountsIn(fact: Fact): { readonly tokens: number; readonly nanoUsd: number | null } {
  if (fact.type === 'child.settled') {
    const { spend } = fact.payload;
    return { tokens: tokensOf(spend), nanoUsd: spend.costNanoUsd ?? null };
  }
  const usage = usageOf(fact);
  return usage ? { tokens: tokensOf(usage), nanoUsd: usage.cost?.nanoUsd ?? null } : { tokens: 0, nanoUsd: null };
}

/** The phase that each event spends in, where its type alone says it. */
const PHASE_OF: Readonly<Record<string, PhaseName>> = {
  'discovery.completed': 'discovery',
  'discovery.interrupted': 'discovery',
  'filter.completed': 'filter',
  'filter.interrupted': 'filter',
  'plans.written': 'experiment',
  'plans.interrupted': 'experiment',
  'child.settled': 'experiment',
  'evaluation.completed': 'evaluate',
  'evaluation.interrupted': 'evaluate',
  'integration.completed': 'integrate',
  'integration.failed': 'integrate',
  'integration.interrupted': 'integrate',
  // Of no phase of the document: it is written in `decide`, where changes are integrated.
  'summary.written': 'integrate',
};

/** The phase that a fact spends in. Of an effect that was given up: `current`, the phase that was under way. */
export function phaseSpentIn({ type, payload }: Fact, current: PhaseName): PhaseName {
  if (type === 'effect.interrupted' && payload.actor === 'agent') return 'experiment';
  return PHASE_OF[type] ?? current;
}

/** The phase that is under way after a fact. */
export function phaseAfter({ type, payload }: Fact, current: PhaseName): PhaseName {
  switch (type) {
    case 'iteration.started':
      return 'discovery';
    case 'discovery.completed':
      return payload.discoveries.length > 0 ? 'filter' : current;
    case 'experiment.started':
      return 'experiment';
    case 'child.settled':
      return 'evaluate';
    case 'evaluation.completed':
      return payload.passed ? 'integrate' : current;
    default:
      return current;
  }
}
