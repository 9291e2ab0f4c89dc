export { type LiveRun, Loops, type LoopsOptions, OptionsError } from './hosts/local/loops.ts';
export { memoryLog } from './log/memory/log.ts';
