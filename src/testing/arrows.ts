import type { CatalogueEntry } from '../../machines/index.ts';
import { nodesOf, type StateNode } from '../charts/transitions.ts';

/** One way on from an innermost place, whatever its guard says. */
export interface Arrow {
  readonly id: string;
  /** Null where it leads nowhere: it is taken there, or refused. */
  readonly to: string | null;
}

type Definition = NonNullable<StateNode['always']>[number];

/** The ways on from each innermost place of a chart, those of the states around it included. Nothing leads on from an end. */
export function arrowsOf({ root }: CatalogueEntry['machine']): ReadonlyMap<string, readonly Arrow[]> {
  const places = nodesOf(root).filter(({ states }) => Object.keys(states).length === 0);
  return new Map(places.map((place) => [nameOf(place), place.type === 'final' ? [] : arrowsFrom(place)]));
}

export const startOf = ({ root }: CatalogueEntry['machine']): string => nameOf(innermost(root));

function arrowsFrom(place: StateNode): Arrow[] {
  const closed = new Set<string>();
  return aroundIt(place).flatMap((node) => {
    const open = [...node.transitions.values(), [...(node.always ?? [])]].map((candidates) => candidates.filter(({ eventType }) => !closed.has(eventType)));
    for (const { eventType, guard } of open.flat()) if (guard === undefined && eventType !== '') closed.add(eventType);
    return open.flatMap((candidates) =>
      candidates.map((candidate, index) => ({ id: `${nameOf(node)} ${candidate.eventType || 'always'} ${index}`, to: targetOf(candidate) })));
  });
}

function aroundIt(place: StateNode): StateNode[] {
  return place.parent ? [place, ...aroundIt(place.parent)] : [place];
}

function targetOf({ target }: Definition): string | null {
  const [first] = target ?? [];
  return first ? nameOf(innermost(first)) : null;
}

function innermost(node: StateNode): StateNode {
  const [first] = node.initial?.target ?? [];
  return first ? innermost(first) : node;
}

const nameOf = ({ path }: StateNode): string => path.join('.');
