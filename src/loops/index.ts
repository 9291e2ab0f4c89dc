import type { LoopDefinition } from '../runtime/loop-definition.ts';
import { iterationLoop } from './iteration/iteration.loop.ts';
import { turnLoop } from './turn/turn.loop.ts';

/** The loops that ship: every version that a run may still need. */
export const shippedLoops: readonly LoopDefinition[] = [turnLoop, iterationLoop];
