import type { RalphState } from './ralph-state.ts';

/** A value that stands in the front matter of the state file; the prompt is the text below it. */
export type StateField = Exclude<keyof RalphState, 'originalPrompt'>;

/** The keys of the state file, in the order in which they are written. */
export const STATE_KEYS: readonly (readonly [key: string, field: StateField])[] = [
  ['active', 'active'],
  ['iteration', 'iteration'],
  ['max_iterations', 'maxIterations'],
  ['completion_promise', 'completionPromise'],
  ['started_at', 'startedAt'],
  ['session_id', 'sessionId'],
  ['deactivated_reason', 'deactivatedReason'],
];

/** Keys of other programs that mean the same. Read, never written. */
export const READ_KEYS: readonly (readonly [key: string, field: StateField])[] = [
  ['linear_agent_session_id', 'sessionId'],
];

/** What may be missing, and what it is then. */
export const ABSENT: Partial<RalphState> = { sessionId: null };
export const MAY_BE_ABSENT: readonly StateField[] = ['sessionId', 'deactivatedReason'];
