// The decisions of a run, without a disk, a process, a clock or a network: for those who build a host of their own.
// Besides the web platform it needs `node:crypto` alone.
export { fold, freezeState, hasEnded, lifeOf, open, type Opened, type RunState } from './fold.ts';
export { interruption } from './run-message.ts';
export { type LoopDefinition, specOf } from './loop-definition.ts';
export { loopNamed } from './loop-named.ts';
export type { Outstanding } from './outstanding-effects.ts';
export { asItIs, type Batch, opening, react, record, type Redact, type RunScope } from './react.ts';
export type { RunMessage } from './run-message.ts';
export { decidingHandlers } from '../redecide/decision-handlers.ts';
export type { DecidingHandlers, EffectHandlers, Execution, RunContext } from './effect-handlers.ts';
export type { EffectSpec } from './effect-spec.ts';
export { readEvent, type ReadEvent } from '../log/read-event.ts';
export { vocabularyOf } from '../../machines/vocabulary.ts';
export { shippedLoops } from '../loops/index.ts';
