import type { LoggedEvent } from './detector.ts';

/** The types of events that may be one. */
export const FRESH_STARTS: readonly LoggedEvent['type'][] = [
  'run.steered',
  'run.continued',
  'run.resumed',
  'person.answered',
];

/**
 * Whether earlier repetitions no longer count: after a user message about the task, where the worktree was made again,
 * so that work is done twice for a reason, and after a person has allowed a call, which is made again for that. Other
 * answers of people are the results of calls, and a decision's feedback does not come from a user.
 */
export const isFreshStart = ({ type, payload }: LoggedEvent): boolean =>
  type === 'run.steered' ||
  type === 'run.continued' ||
  (type === 'run.resumed' && payload.remade !== undefined) ||
  (type === 'person.answered' && payload.permission?.granted === true);
