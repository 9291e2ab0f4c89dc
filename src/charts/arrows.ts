import type { CatalogueEntry } from '../../machines/index.ts';
import { enteredBy, innermostOf, pathOf, type StateNode, isClosed, transitionsOf } from './transitions.ts';

/** A transition as it leads on from one innermost place, whatever its guard says. */
export interface Arrow {
  readonly id: string;
  readonly from: string;
  /** Null if it stays in the same place, or refuses the event. */
  readonly to: string | null;
  /** Whether it is refused there. */
  readonly isClosed: boolean;
}

/**
 * The ways on from each innermost place of a chart, those of the states around it included: but not what they do with
 * an event that a state within them takes whatever happens. Nothing leads on from an end.
 */
export function arrowsOf(machine: CatalogueEntry['machine']): Arrow[] {
  const leaving = Map.groupBy(transitionsOf(machine), ({ from }) => from);
  return innermostOf(machine.root)
    .filter(({ type }) => type !== 'final')
    .flatMap((place) => {
      const from = pathOf(place);
      const taken = new Set<string>();
      return aroundIt(place).flatMap((node) => {
        const open = (leaving.get(node) ?? []).filter(({ event }) => event === null || !taken.has(event));
        for (const { event, guard } of open) if (event !== null && guard === null) taken.add(event);
        return open.flatMap((transition): Arrow[] => {
          const { id, to } = transition;
          const arrow = { id, from, isClosed: isClosed(transition) };
          return to.length === 0
            ? [{ ...arrow, to: null }]
            : to.flatMap(enteredBy).map((target) => ({ ...arrow, to: pathOf(target) }));
        });
      });
    });
}

/** From the inside out. */
function aroundIt(place: StateNode): StateNode[] {
  return place.parent ? [place, ...aroundIt(place.parent)] : [place];
}
