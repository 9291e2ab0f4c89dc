export type { LoopCommand, LoopEmitted, LoopNotice, ServedBy } from './loop-events.ts';
export { type LoopLogic, loopLogic } from './loop-logic.ts';
export type { LoopContext, LoopInput, LoopOutput, LoopSnapshot } from './loop-snapshot.ts';
export { RunUnavailableError } from './run-unavailable-error.ts';
