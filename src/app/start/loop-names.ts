import { loopNameOf } from '../../../machines/index.ts';
import { type ConfigFault, faultAt } from '../../options/config-fault.ts';
import { shippedLoops } from '../../loops/index.ts';
import type { LoopDefinition } from '../../kernel/loop-definition.ts';
import { OptionsError } from './options-error.ts';

/**
 * The loops that ship, and those that a caller hands in. Throws an `OptionsError` where one was not made by
 * `defineLoop`, where a name or a version is taken twice, and where an effect has no handler.
 */
export function knownLoops(own: readonly LoopDefinition[]): readonly LoopDefinition[] {
  const faults = own.flatMap((loop, index) => faultsIn(loop, `loops[${index}]`, own.slice(0, index)));
  // No flag sets them.
  if (faults.length > 0) throw new OptionsError(faults.map((fault) => ({ ...fault, flag: null })));
  return [...shippedLoops, ...own];
}

/** The effects of a loop that this host does not execute, and that come without a handler. */
export const unperformedIn = ({ effects, handlers = {} }: LoopDefinition): readonly string[] =>
  Object.entries(effects)
    .filter(([, { class: effectClass, decide, asksPerson }]) => effectClass !== 'child' && !decide && !asksPerson)
    .map(([name]) => name)
    .filter((name) => !performed.has(name) && typeof handlers[name] !== 'function');

/** `defineLoop` alone says which module a loop comes from; a caller without types hands in anything. */
const isDefined = (loop: unknown): boolean => Reflect.get(Object(loop), 'module') !== undefined;

const shipped = new Set(shippedLoops.map(({ id }) => loopNameOf(id)));
/** The effects that this host executes, whatever the loop. */
const performed = new Set(shippedLoops.flatMap(({ effects }) => Object.keys(effects)));

function faultsIn(loop: LoopDefinition, field: string, before: readonly LoopDefinition[]): readonly ConfigFault[] {
  if (!isDefined(loop)) return [faultAt(field, loop, 'what defineLoop returns')];
  const { id, handlers } = loop;
  if (shipped.has(loopNameOf(id)))
    return [
      faultAt(`${field}.id`, id, `an id of its own, given to the machine: ${loopNameOf(id)} is a loop that ships`),
    ];
  if (before.some((other) => other.id === id))
    return [faultAt(`${field}.id`, id, 'each version of a loop once: a version before it has this id')];
  return unperformedIn(loop).map((name) =>
    faultAt(`${field}.handlers.${name}`, handlers?.[name], `a function that performs ${name}, which ${id} starts`),
  );
}
