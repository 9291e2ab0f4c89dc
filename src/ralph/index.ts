// The functions of the Ralph Wiggum loop, for programs that run it themselves. Only the two that load and save the
// state file touch a disk; the others have no clock either.
export { isRalphLabel, LABEL_FORMS, parseRalphWiggumConfig, type RalphWiggumConfig } from './label.ts';
export { DEFAULT_MAXIMUM, effectiveMaximum, HARD_CEILING } from './maximum.ts';
export { DEFAULT_PROMISE, promiseText } from './completion-promise.ts';
export { checkCompletionPromise } from './check-promise.ts';
export { RalphState } from './ralph-state.ts';
export { formatRalphState } from './parse-state.ts';
export { parseRalphState, type ParsedState } from './parse-state.ts';
export { loadRalphWiggumState, RalphStateError, saveRalphWiggumState } from '../app/running/ralph-state-file.ts';
export { deactivateLoop, incrementIteration, initializeRalphWiggumLoop } from './state-changes.ts';
export { buildContinuationPrompt, type Continuation, howToComplete } from './continuation-prompt.ts';
export { getLoopStatusMessage, LOOP_STATUSES, type LoopStatus, shouldContinueLoop } from './loop-status.ts';
