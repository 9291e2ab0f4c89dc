/** The phases of an iteration, in order. */
export const PHASE_NAMES = ['discovery', 'filter', 'experiment', 'evaluate', 'integrate'] as const;
export type PhaseName = (typeof PHASE_NAMES)[number];

/** One amount for each phase, in one unit. `total` is their sum. */
export type PhaseCosts = { readonly [phase in PhaseName | 'total']: number };

export const NO_COSTS: PhaseCosts = { discovery: 0, filter: 0, experiment: 0, evaluate: 0, integrate: 0, total: 0 };

/**
 * The costs with so much more in one phase.
 *
 * @example
 * withCost(NO_COSTS, 'filter', 900).total; // 900
 */
export const withCost = (costs: PhaseCosts, phase: PhaseName, amount: number): PhaseCosts => ({
  ...costs,
  [phase]: costs[phase] + amount,
  total: costs.total + amount,
});
