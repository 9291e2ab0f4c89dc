// Loops as a service of Restate.
export type { DrivenRun } from './drive-run.ts';
export { restateLoops, type RestateLoopsOptions } from './restate-loops.ts';
export { type Waking, wakeRuns } from './wake-runs.ts';
