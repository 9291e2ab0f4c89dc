import type { Chart, ChartTransition } from './chart.ts';

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
