import { checkCompletionPromise } from './check-promise.ts';
import { PROMISE_GIVEN } from './completion-promise.ts';
import { effectiveMaximum, HARD_CEILING, iterationOf } from './maximum.ts';
import type { RalphState } from './ralph-state.ts';

export const LOOP_STATUSES = ['started', 'continuing', 'completed', 'max_iterations', 'stopped'] as const;
export type LoopStatus = (typeof LOOP_STATUSES)[number];

/** What a status message needs of a state. */
export type StatusState = Pick<RalphState, 'iteration' | 'maxIterations' | 'deactivatedReason'>;

/**
 * One line for people about where the loop is. `state.iteration` is the iteration that begins for `continuing`, and the
 * last one for every ending.
 *
 * @example
 * getLoopStatusMessage({ ...state, iteration: 2, maxIterations: 10 }, 'continuing'); // 'continuing to iteration 2/10'
 */
export function getLoopStatusMessage(state: StatusState, status: LoopStatus): string {
  const place = iterationOf(state.iteration, state.maxIterations);
  const why = state.deactivatedReason === undefined ? '' : `: ${state.deactivatedReason}`;
  switch (status) {
    case 'started':
      return 'Ralph Wiggum loop started';
    case 'continuing':
      return `continuing to iteration ${place}`;
    case 'completed':
      return `loop completed in iteration ${place}${why}`;
    case 'max_iterations':
      return `max iterations reached (${place})`;
    case 'stopped':
      return `loop stopped in iteration ${place}${why}`;
  }
}

/**
 * Whether another iteration follows the one that `state.iteration` names: not for an inactive loop, after a promise, or
 * at the maximum. Without a maximum the ceiling ends the loop.
 *
 * @example
 * shouldContinueLoop(state, 'All done.\n<promise>TASK COMPLETE</promise>');
 * // { shouldContinue: false, reason: 'completion promise given' }
 */
export function shouldContinueLoop(
  state: RalphState,
  lastResponse?: string,
  ceiling: number = HARD_CEILING,
): { readonly shouldContinue: boolean; readonly reason: string } {
  const stop = (reason: string) => ({ shouldContinue: false, reason });
  const { active, iteration, maxIterations, completionPromise, deactivatedReason } = state;
  if (!active) return stop(`loop is not active${deactivatedReason === undefined ? '' : `: ${deactivatedReason}`}`);
  if (checkCompletionPromise(lastResponse ?? '', completionPromise)) return stop(PROMISE_GIVEN);
  const most = effectiveMaximum(maxIterations, ceiling);
  if (iteration >= most) {
    const isCeiling = most !== maxIterations;
    return stop(isCeiling ? `ceiling reached (${iteration}/${most})` : `max iterations reached (${iteration}/${most})`);
  }
  return { shouldContinue: true, reason: `iteration ${iterationOf(iteration, maxIterations)} is not the last` };
}
