/** What can be wrong with a user's strategy: codes for programs, each with its meaning. */
export const STRATEGY_FAULTS = {
  strategy_not_found: 'there is no such module',
  strategy_not_loaded: 'the module cannot be loaded, or not in time',
  strategy_not_exported: 'the module exports nothing of that name',
  strategy_not_made: 'its class or its factory throws',
  strategy_incomplete: 'it lacks a member that every strategy needs',
  strategy_failed: 'it throws or rejects when it is called',
  strategy_gone: 'it ended its own thread',
  strategy_timed_out: 'it takes too long',
  invalid_decision: 'its answer is not a decision',
} as const;
export type StrategyFault = keyof typeof STRATEGY_FAULTS;

export const isStrategyFault = (code: string | undefined): boolean =>
  code !== undefined && Object.hasOwn(STRATEGY_FAULTS, code);

/** Why a strategy gave no decision. */
export class StrategyError extends Error {
  override readonly name = 'StrategyError';
  readonly code: StrategyFault;

  constructor(code: StrategyFault, message: string) {
    super(message);
    this.code = code;
  }
}
