import { loopNameOf } from '../../../machines/index.ts';
import { shippedLoops } from '../../loops/index.ts';
import type { LoopDefinition } from '../../runtime/loop-definition.ts';

/** The loops that ship, and those of somebody's own. Throws a `TypeError` where a name or a version is taken twice. */
export function knownLoops(own: readonly LoopDefinition[]): readonly LoopDefinition[] {
  const shipped = new Set(shippedLoops.map(({ id }) => loopNameOf(id)));
  for (const [index, { id }] of own.entries()) {
    if (shipped.has(loopNameOf(id))) {
      throw new TypeError(`loops[${index}]: ${loopNameOf(id)} is a loop that ships. Give the machine another id.`);
    }
    if (own.slice(0, index).some((other) => other.id === id)) {
      throw new TypeError(`loops[${index}]: ${id} is there twice. Hand each version of a loop in once.`);
    }
  }
  return [...shippedLoops, ...own];
}
