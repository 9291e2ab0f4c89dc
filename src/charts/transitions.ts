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

type Definition = NonNullable<StateNode['always']>[number];

/** One arrow of a chart, or an event that a state takes and stays where it is. */
export interface Transition {
  /**
   * A stable name, as long as the order of candidates stays the same: `stream.asking model.completed 0` or
   * `decide.aborting always 0`.
   */
  readonly id: string;
  readonly from: StateNode;
  /** Null where it is taken as soon as its guard holds. */
  readonly event: string | null;
  /** Its place among the candidates of its event. */
  readonly index: number;
  /** Its name; `inline` for a function without one. Null where nothing is asked. */
  readonly guard: string | null;
  readonly to: readonly StateNode[];
  /** Names of its actions. */
  readonly actions: readonly string[];
  readonly description: string | null;
}

/** Every transition of a machine, from the root down, in the order in which it is written. */
export const transitionsOf = ({ root }: CatalogueEntry['machine']): Transition[] => nodesOf(root).flatMap(leaving);

/** A transition without target and actions: it refuses an event that an outer state would take. */
export const isClosed = ({ to, actions }: Transition): boolean => to.length === 0 && actions.length === 0;

/** The name of a transition by its definition, as XState keeps it. */
export function transitionId(definition: Definition): string {
  const { source, eventType } = definition;
  const candidates = eventType === '' ? source.always : source.transitions.get(eventType);
  return idOf(source, eventType, (candidates ?? []).indexOf(definition));
}

function leaving(from: StateNode): Transition[] {
  const candidates = [...from.transitions.values(), from.always ?? []];
  return candidates.flatMap((definitions) =>
    definitions.map(({ eventType, guard, target, actions, description }, index) => ({
      id: idOf(from, eventType, index),
      from,
      event: eventType === '' ? null : eventType,
      index,
      guard: guard === undefined ? null : (nameOf(guard) ?? 'inline'),
      to: target ?? [],
      actions: actions.flatMap((action) => nameOf(action) ?? []),
      description: description ?? null,
    })),
  );
}

const idOf = (from: StateNode, event: string, index: number): string =>
  `${pathOf(from) || 'anywhere'} ${event || 'always'} ${index}`;

/** What an action or a guard is called, however it was written. Null for a function without a name of its own. */
export function nameOf(written: unknown): string | null {
  if (typeof written === 'string') return written;
  const type: unknown = typeof written === 'object' && written !== null ? Reflect.get(written, 'type') : null;
  return typeof type === 'string' ? type : null;
}

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
