import type { LoopDefinition } from '../kernel/loop-definition.ts';
import { nodesOf } from './transitions.ts';

/** Whether the chart of a loop starts an effect, in any of its states. */
export const starts = ({ machine }: Pick<LoopDefinition, 'machine'>, effect: string): boolean =>
  nodesOf(machine.root).some(({ invoke }) => invoke.some(({ src }) => src === effect));
