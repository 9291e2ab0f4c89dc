import type { RalphState } from '../../src/ralph/index.ts';

/** The state that the tests change. */
export const STATE: RalphState = {
  active: true,
  iteration: 1,
  maxIterations: 10,
  completionPromise: 'TASK COMPLETE',
  startedAt: '2025-12-31T00:00:00.000Z',
  sessionId: 'session-123',
  originalPrompt: 'Add the methods of the calculator.',
};

export const PROMISE = '<promise>TASK COMPLETE</promise>';
