import type { AnyMachineSnapshot, AnyStateNode, StateValue } from 'xstate';
import type { Work } from './work.ts';
import type { Candidate, CompiledState, Plan } from './plan.ts';

/** Where a machine can rest: one innermost state, with everything about a snapshot that follows from it. */
export interface Place {
  readonly leaf: AnyStateNode;
  readonly isEnding: boolean;
  /** In the order in which XState has them: the innermost first in an ending, and last elsewhere. */
  readonly nodes: AnyStateNode[];
  readonly value: StateValue;
  readonly tags: Set<string>;
  /** By type of event, in the order in which they are asked: the innermost state's first. */
  readonly candidates: ReadonlyMap<string, readonly Candidate[]>;
  readonly always: readonly Candidate[];
  /** Made when they are first taken. */
  readonly plans: Map<Candidate, Plan>;
}

export function placeOf(leaf: AnyStateNode, states: ReadonlyMap<AnyStateNode, CompiledState>): Place {
  const path = pathTo(leaf);
  const along = path.flatMap((node) => states.get(node) ?? []);
  const types = new Set(along.flatMap(({ on }) => [...on.keys()]));
  const isEnding = leaf.type === 'final';
  const nodes = isEnding ? path : path.toReversed();
  return {
    leaf,
    isEnding,
    nodes,
    value: valueOf(path),
    tags: new Set(nodes.flatMap(({ tags }) => tags)),
    candidates: new Map([...types].map((type) => [type, along.flatMap(({ on }) => on.get(type) ?? [])])),
    always: along.flatMap(({ always }) => always),
    plans: new Map(),
  };
}

/** A state and those around it, up to the root. */
function pathTo(leaf: AnyStateNode): AnyStateNode[] {
  const path: AnyStateNode[] = [];
  for (let node: AnyStateNode | undefined = leaf; node; node = node.parent) path.push(node);
  return path;
}

const valueOf = ([leaf, ...around]: readonly AnyStateNode[]): StateValue =>
  around.slice(0, -1).reduce<StateValue>((value, { key }) => ({ [key]: value }), leaf?.key ?? '');

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
