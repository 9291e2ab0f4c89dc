import type { LoopDefinition } from '../../kernel/loop-definition.ts';

/** The effect of a loop that keeps a state file. */
const KEEPS_STATE_FILE = 'writeStateFile';

/** Whether a loop keeps a state file. */
export const keepsStateFile = (loop: Pick<LoopDefinition, 'effects'>): boolean => KEEPS_STATE_FILE in loop.effects;
