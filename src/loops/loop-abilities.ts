import { starts } from '../charts/effects-of-state.ts';
import type { LoopDefinition } from '../kernel/loop-definition.ts';

// What a loop can, by the effects that it has.

/** Tells whether a loop keeps a state file. */
export const keepsStateFile = (loop: Pick<LoopDefinition, 'effects'>): boolean => 'writeStateFile' in loop.effects;

/** Tells whether a loop runs its checks before its first round. */
export const takesBaseline = (loop: Pick<LoopDefinition, 'machine'>): boolean => starts(loop, 'takeBaseline');

/** Tells whether the checks of a loop run step by step. One that verifies no work of its own goes by whole checks. */
export const hasSteps = (loop: Pick<LoopDefinition, 'machine'>): boolean => starts(loop, 'verifyWork');
