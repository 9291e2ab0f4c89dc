import type { LoopDefinition } from '../kernel/loop-definition.ts';
import { contestLoop } from './contest/definition.ts';
import { improvementLoop } from './improvement/definition.ts';
import { iterationLoop } from './iteration/definition.ts';
import { ralphLoop } from './ralph/definition.ts';
import { turnLoop } from './turn/definition.ts';

/** The loops that ship, in every version that a run may still need. A new loop is a folder and a line here. */
export const shippedLoops: readonly LoopDefinition[] = [
  turnLoop,
  iterationLoop,
  ralphLoop,
  improvementLoop,
  contestLoop,
];
