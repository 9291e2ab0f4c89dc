import { loopNameOf } from '../../../machines/index.ts';
import { shippedLoops } from '../../loops/index.ts';
import type { LoopDefinition } from '../../runtime/loop-definition.ts';

/**
 * The loops that ship, and those of somebody's own. Throws a `TypeError` where one was not made by `defineLoop`, where a name or a
 * version is taken twice, and where an effect has no handler.
 */
export function knownLoops(own: readonly LoopDefinition[]): readonly LoopDefinition[] {
  for (const [index, loop] of own.entries()) {
    const fault = isDefined(loop) ? faultIn(loop, own.slice(0, index)) : 'this is no loop. Hand in what defineLoop returns.';
    if (fault !== null) throw new TypeError(`loops[${index}]: ${fault}`);
  }
  return [...shippedLoops, ...own];
}

/** `defineLoop` alone says which module a loop comes from; a caller without types hands in anything. */
const isDefined = (loop: unknown): boolean => Reflect.get(Object(loop), 'module') !== undefined;

const shipped = new Set(shippedLoops.map(({ id }) => loopNameOf(id)));
/** What this host performs, whatever the loop. */
const performed = new Set(shippedLoops.flatMap(({ effects }) => Object.keys(effects)));

function faultIn(loop: LoopDefinition, before: readonly LoopDefinition[]): string | null {
  const { id } = loop;
  if (shipped.has(loopNameOf(id))) return `${loopNameOf(id)} is a loop that ships. Give the machine another id.`;
  if (before.some((other) => other.id === id)) return `${id} is there twice. Hand each version of a loop in once.`;
  const [missing] = unperformedIn(loop);
  return missing === undefined ? null : `${id} starts ${missing}, and nothing performs it. Add ${missing} to its handlers.`;
}

const unperformedIn = ({ effects, handlers = {} }: LoopDefinition): readonly string[] =>
  Object.entries(effects)
    .filter(([name, { class: effectClass, decide }]) => effectClass !== 'child' && !decide && !performed.has(name) && !Object.hasOwn(handlers, name))
    .map(([name]) => name);
