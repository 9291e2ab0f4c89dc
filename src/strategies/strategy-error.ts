/** What can be wrong with a strategy that somebody else wrote: a code for programs, tagged to each fault. */
export type StrategyFault =
  /** There is no such module. */
  | 'strategy_not_found'
  /** The module cannot be loaded, or is not done with it in time. */
  | 'strategy_not_loaded'
  /** The module exports nothing of that name. */
  | 'strategy_not_exported'
  /** Its class, or its factory, throws. */
  | 'strategy_not_made'
  /** It lacks a member that every strategy has. */
  | 'strategy_incomplete'
  /** It throws, or rejects, when it is asked. */
  | 'strategy_failed'
  /** It ended the thread that it runs in. */
  | 'strategy_gone'
  /** It takes too long. */
  | 'strategy_timed_out'
  /** What it answers is no decision. */
  | 'invalid_decision';

/** Why a strategy gave no decision. */
export class StrategyError extends Error {
  override readonly name = 'StrategyError';
  readonly code: StrategyFault;

  constructor(code: StrategyFault, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
