/** What can be wrong with a strategy that somebody else wrote: codes for programs, each with what it stands for. */
export const STRATEGY_FAULTS = {
  strategy_not_found: 'there is no such module',
  strategy_not_loaded: 'the module cannot be loaded, or is not done with it in time',
  strategy_not_exported: 'the module exports nothing of that name',
  strategy_not_made: 'its class, or its factory, throws',
  strategy_incomplete: 'it lacks a member that every strategy has',
  strategy_failed: 'it throws, or rejects, when it is asked',
  strategy_gone: 'it ended the thread that it runs in',
  strategy_timed_out: 'it takes too long',
  invalid_decision: 'what it answers is no decision',
} as const;
export type StrategyFault = keyof typeof STRATEGY_FAULTS;

export const isStrategyFault = (code: string | undefined): boolean => code !== undefined && Object.hasOwn(STRATEGY_FAULTS, code);

/** Why a strategy gave no decision. */
export class StrategyError extends Error {
  override readonly name = 'StrategyError';
  readonly code: StrategyFault;

  constructor(code: StrategyFault, message: string) {
    super(message);
    this.code = code;
  }
}
