export type { LoopCommand, LoopEmitted, LoopNotice } from './loop-snapshot.ts';
export { type LoopLogic, loopLogic } from './loop-logic.ts';
export type { LoopContext, LoopInput, LoopOutput, LoopSnapshot, ServedBy } from './loop-snapshot.ts';
export { RunUnavailableError } from './actor-status.ts';
