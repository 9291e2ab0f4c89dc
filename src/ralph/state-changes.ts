import type { RalphWiggumConfig } from './label.ts';
import type { RalphState } from './ralph-state.ts';

/** The state before the first iteration. `startedAt` is an ISO time. */
export const initializeRalphWiggumLoop = (
  config: Pick<RalphWiggumConfig, 'maxIterations' | 'completionPromise'>,
  start: Pick<RalphState, 'originalPrompt' | 'sessionId' | 'startedAt'>,
): RalphState => ({
  active: true,
  iteration: 1,
  maxIterations: config.maxIterations,
  completionPromise: config.completionPromise ?? null,
  ...start,
});

/** The state in the next iteration. */
export const incrementIteration = (state: RalphState): RalphState => ({ ...state, iteration: state.iteration + 1 });

/** The state of a loop that has ended, and why. */
export const deactivateLoop = (state: RalphState, reason: string): RalphState => ({
  ...state,
  active: false,
  deactivatedReason: reason,
});
