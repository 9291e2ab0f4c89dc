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
