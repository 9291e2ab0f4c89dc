import type { LoggedEvent } from './detector.ts';

/**
 * A person has said something new about the task: what was repeated before that is forgiven. An answer to a question is
 * the result of a call, and the feedback of a decision is no person's word.
 */
export const isUserMessage = ({ type }: LoggedEvent): boolean => type === 'run.steered' || type === 'run.continued';
