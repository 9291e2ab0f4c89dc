import type { CatalogueEntry } from '../../machines/index.ts';
import { nodesOf, pathOf, type StateNode, nameOf, transitionsOf } from './transitions.ts';

type Machine = CatalogueEntry['machine'];

/** A machine as JSON data: all that drawing or comparing machines needs. */
export interface Chart {
  readonly id: string;
  readonly version: string | null;
  /** The machine as a whole, whose path is empty, then every state, each before those within it. */
  readonly states: readonly ChartState[];
  /** As they are written, from the machine as a whole down. */
  readonly transitions: readonly ChartTransition[];
}

export interface ChartState {
  /** Names it within its machine: `stream.asking`. */
  readonly path: string;
  readonly key: string;
  /** The state it is part of. Null for the machine as a whole. */
  readonly parent: string | null;
  readonly kind: StateNode['type'];
  readonly description: string | null;
  /** Where it starts, if it has parts that take turns. */
  readonly initial: string | null;
  /** Names of its actions. */
  readonly entry: readonly string[];
  readonly exit: readonly string[];
  readonly invokes: readonly { readonly id: string; readonly src: string }[];
}

export interface ChartTransition {
  /** A stable name, as long as the order of candidates stays the same: `stream.asking model.completed 0`. */
  readonly id: string;
  readonly from: string;
  /** Null where it is taken as soon as its guard holds. */
  readonly event: string | null;
  /** Its place among the candidates of its event. */
  readonly index: number;
  readonly guard: string | null;
  /** Empty where the machine stays as it is, and only the actions happen. */
  readonly to: readonly string[];
  readonly actions: readonly string[];
  readonly description: string | null;
}

/**
 * A machine's chart as data: states by path, transitions by id, and the names of all they use.
 *
 * @example
 * const endings = chartOf(turn).states.filter(({ kind }) => kind === 'final');
 */
export function chartOf(machine: Machine): Chart {
  return {
    id: machine.id,
    version: machine.version ?? null,
    states: nodesOf(machine.root).map(stateOf),
    transitions: transitionsOf(machine).map((transition) => ({
      ...transition,
      from: pathOf(transition.from),
      to: transition.to.map(pathOf),
    })),
  };
}

function stateOf(node: StateNode): ChartState {
  const start = node.initial?.target[0];
  return {
    path: pathOf(node),
    key: node.key,
    parent: node.parent ? pathOf(node.parent) : null,
    kind: node.type,
    description: node.description ?? null,
    initial: start ? pathOf(start) : null,
    entry: node.entry.flatMap((action) => nameOf(action) ?? []),
    exit: node.exit.flatMap((action) => nameOf(action) ?? []),
    invokes: node.invoke.map(({ id, src }) => ({ id, src: typeof src === 'string' ? src : 'inline' })),
  };
}

/** Which state is part of which, and which of them a drawing shows. */
export interface Nesting {
  readonly isOpen: (path: string) => boolean;
  readonly isWithin: (path: string, outer: string) => boolean;
  /** The state itself, or the one it is part of if it lies deeper than is drawn. */
  readonly shown: (path: string) => string;
}

/** `depth`: how many levels of states are drawn, at least the first. */
export function nestingOf({ states }: Chart, depth: number): Nesting {
  const deepest = Math.max(1, depth);
  const parents = new Map(states.map(({ path, parent }) => [path, parent]));
  const outward = (path: string): string[] => {
    const parent = parents.get(path) ?? null;
    return parent === null ? [path] : [path, ...outward(parent)];
  };
  const levels = new Map(states.map(({ path }) => [path, outward(path).length - 1]));
  const wholes = new Set(states.map(({ parent }) => parent));
  return {
    isOpen: (path) => wholes.has(path) && (levels.get(path) ?? 0) < deepest,
    isWithin: (path, outer) => path !== outer && outward(path).includes(outer),
    shown: (path) => outward(path).find((outer) => (levels.get(outer) ?? 0) <= deepest) ?? path,
  };
}

/** A transition between two states that are drawn. */
export interface Move {
  readonly transition: ChartTransition;
  readonly from: string;
  readonly to: string;
}

/** What leads from one state to another, or to itself. What happens within a state that is drawn shut is left out. */
export function movesOf({ transitions }: Chart, { shown }: Nesting): Move[] {
  const moves = transitions.flatMap((transition) =>
    transition.to.map((target) => ({ transition, target, from: shown(transition.from), to: shown(target) })),
  );
  return moves.filter(({ transition, target, from, to }) => from !== to || (from === transition.from && to === target));
}
