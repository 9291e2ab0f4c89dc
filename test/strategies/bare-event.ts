import type { IterationCompleteEvent } from '../../src/strategies/strategy.ts';

/** As the first users of this interface built it: without what was added later. */
export const bare = {
  iteration: 0,
  totalIterations: 1,
  elapsedMs: 5000,
  agentResult: { success: true, exitCode: 0 },
  agentSuccess: true,
  verificationReport: null,
  verificationPassed: null,
  previousIterations: [],
  maxIterations: 5,
  maxTimeMs: null,
  runId: 'run-1',
  workOrderId: 'wo-1',
} as unknown as IterationCompleteEvent;
