import type { RunScope } from 'loopfold/kernel';
import { TOOLS } from './tools.ts';

const HOUR_MS = 3_600_000;

/** The settings of a run without a workspace. They are recorded with its first event, and do not change. */
export const settingsFor = (prompt: string, maxTimeMs = HOUR_MS): RunScope['settings'] => ({
  loop: 'turn',
  prompt,
  system: null,
  model: 'the model of this host',
  tools: [...Object.keys(TOOLS), 'ask_user'],
  directory: '/',
  limits: { maxSteps: 50, maxToolCalls: 100, maxTokens: 200_000, maxIterations: null, maxTimeMs },
  attemptLimits: null,
  checks: [],
  strategy: null,
  graceMs: 10_000,
  parent: null,
});
