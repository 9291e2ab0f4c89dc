import type { LoggedEvent } from './detector.ts';

/**
 * Whether earlier repetitions no longer count: after a user message about the task, and where the worktree was made
 * again, so that work is done twice for a reason. The answer to a question is the result of a call, and a decision's
 * feedback does not come from a user.
 */
export const isFreshStart = ({ type, payload }: LoggedEvent): boolean =>
  type === 'run.steered' || type === 'run.continued' || (type === 'run.resumed' && payload.remade !== undefined);
