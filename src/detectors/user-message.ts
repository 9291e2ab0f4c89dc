import type { LoggedEvent } from './detector.ts';

/**
 * Whether an event is a user message about the task: it forgives earlier repetitions. The answer to a question is the
 * result of a call, and a decision's feedback does not come from a user.
 */
export const isUserMessage = ({ type }: LoggedEvent): boolean => type === 'run.steered' || type === 'run.continued';
