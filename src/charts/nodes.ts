import type { CatalogueEntry } from '../../machines/index.ts';

type Machine = CatalogueEntry['machine'];
export type StateNode = Machine['root'];

/** Names a state within its machine: `stream.asking`. The machine as a whole has the empty name. */
export const pathOf = ({ path }: StateNode): string => path.join('.');

/** A state and all within it, the outermost first. */
export const nodesOf = (node: StateNode): StateNode[] => [node, ...Object.values(node.states).flatMap(nodesOf)];

/** A state, and those in which it begins. */
export function beginningOf(node: StateNode): StateNode[] {
  if (node.type === 'parallel') return [node, ...Object.values(node.states).flatMap(beginningOf)];
  return [node, ...(node.type === 'compound' ? node.initial.target.flatMap(beginningOf) : [])];
}

/** Where a run can stand within a state, whether or not anything leads there. */
export const innermostOf = (node: StateNode): StateNode[] => nodesOf(node).filter(isInnermost);

/** Where a run comes to stand when a state is entered. */
export const enteredBy = (node: StateNode): StateNode[] => beginningOf(node).filter(isInnermost);

/** The names of the places of a chart. */
export const placesOf = ({ root }: Machine): string[] => innermostOf(root).map(pathOf);

const isInnermost = ({ states }: StateNode): boolean => Object.keys(states).length === 0;
