import type { Chart } from '../chart.ts';

/** Which state is part of which, and which of them a drawing shows. */
export interface Nesting {
  readonly isOpen: (path: string) => boolean;
  readonly isWithin: (path: string, outer: string) => boolean;
  /** The state itself, or the one it is part of if it lies deeper than is drawn. */
  readonly shown: (path: string) => string;
}

export function nestingOf({ states }: Chart, depth: number): Nesting {
  const parents = new Map(states.map(({ path, parent }) => [path, parent]));
  const outward = (path: string): string[] => {
    const parent = parents.get(path) ?? null;
    return parent === null ? [path] : [path, ...outward(parent)];
  };
  const levels = new Map(states.map(({ path }) => [path, outward(path).length - 1]));
  const wholes = new Set(states.map(({ parent }) => parent));
  return {
    isOpen: (path) => wholes.has(path) && (levels.get(path) ?? 0) < depth,
    isWithin: (path, outer) => path !== outer && outward(path).includes(outer),
    shown: (path) => outward(path).find((outer) => (levels.get(outer) ?? 0) <= depth) ?? path,
  };
}
