import type { AnyMachineSnapshot } from 'xstate';
import type { Place } from './place.ts';
import type { Work } from './work.ts';

/**
 * The snapshot after a step, with its members in the order in which XState has them: saved, they have the same text.
 * `place` is null where the machine has stayed where it was.
 */
export function snapshotAfter(before: AnyMachineSnapshot, place: Place | null, work: Work): AnyMachineSnapshot {
  const { value, tags } = place ?? before;
  const next = {
    status: place?.isEnding ? 'done' : before.status,
    output: before.output,
    error: before.error,
    machine: before.machine,
    context: work.context,
    _nodes: place ? place.nodes : before._nodes,
    value,
    tags,
    children: work.children,
    historyValue: before.historyValue,
    matches: before.matches,
    hasTag: before.hasTag,
    can: before.can,
    getMeta: before.getMeta,
    toJSON: before.toJSON,
  };
  return next as AnyMachineSnapshot;
}
