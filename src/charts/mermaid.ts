import type { CatalogueEntry } from '../../machines/index.ts';

type Machine = CatalogueEntry['machine'];
type StateNode = Machine['root'];

export interface ChartOptions {
  /** How many levels of states are drawn. What lies deeper is drawn as the state it is part of. */
  readonly depth?: number;
}

/**
 * A machine as a Mermaid state diagram: every state, and every transition that leads to one, labelled `event [guard]`.
 * What a composite state does wherever it stands starts at `anywhere`; events that only change the context are left out.
 *
 * @example
 * const overview = mermaid(turn, { depth: 1 });
 */
export function mermaid({ root }: Machine, { depth = Number.POSITIVE_INFINITY }: ChartOptions = {}): string {
  const lines = ['stateDiagram-v2', ...inside(root, depth), ...edges(root, depth)];
  return lines.join('\n');
}

/** Its sub-states, and where it starts. */
function inside(node: StateNode, depth: number): string[] {
  const start = node.initial.target[0];
  const states = Object.values(node.states).flatMap((state) => drawn(state, depth));
  return [...(start ? [`  [*] --> ${idOf(start)}`] : []), ...anywhere(node, depth), ...states];
}

function drawn(node: StateNode, depth: number): string[] {
  const named = `  state "${node.key}" as ${idOf(node)}`;
  if (node.type === 'final') return [named, `  ${idOf(node)} --> [*]`];
  if (node.type === 'atomic' || node.path.length >= depth) return [named];
  return [`${named} {`, ...inside(node, depth).map((line) => `  ${line}`), '  }'];
}

/** A state that has a transition into itself, whatever it is doing, needs a place where that starts. */
function anywhere(node: StateNode, depth: number): string[] {
  const leadsInside = transitionsOf(node).some(({ to }) => isWithin(lifted(to, depth), node));
  return leadsInside ? [`  state "anywhere" as ${anywhereIn(node)}`] : [];
}

/** Those between the same two states share an arrow. */
function edges(root: StateNode, depth: number): string[] {
  const labels = new Map<string, Set<string>>();
  for (const { from, to, label } of [root, ...statesWithin(root)].flatMap(transitionsOf)) {
    const [source, target] = [lifted(from, depth), lifted(to, depth)];
    if (source === target && (source !== from || target !== to)) continue;
    const arrow = `${isWithin(target, source) ? anywhereIn(source) : idOf(source)} --> ${idOf(target)}`;
    labels.set(arrow, (labels.get(arrow) ?? new Set()).add(label));
  }
  return [...labels].map(([arrow, all]) => `  ${arrow} : ${[...all].join(' or ')}`);
}

interface Transition {
  readonly from: StateNode;
  readonly to: StateNode;
  readonly label: string;
}

function transitionsOf(from: StateNode): Transition[] {
  return [...from.transitions.values(), from.always ?? []].flat().flatMap(({ eventType, guard, target }) => {
    const words = [...(eventType === '' ? [] : [eventType]), ...(typeof guard === 'string' ? [`[${guard}]`] : [])];
    return (target ?? []).map((to: StateNode) => ({ from, to, label: words.join(' ') || 'otherwise' }));
  });
}

const statesWithin = (node: StateNode): StateNode[] =>
  Object.values(node.states).flatMap((state) => [state, ...statesWithin(state)]);

function lifted(node: StateNode, depth: number): StateNode {
  return node.parent && node.path.length > depth ? lifted(node.parent, depth) : node;
}

const isWithin = (node: StateNode, outer: StateNode): boolean =>
  node !== outer && outer.path.every((key, level) => node.path[level] === key);

const idOf = ({ path }: StateNode): string => path.join('_');
const anywhereIn = ({ path }: StateNode): string => [...path, 'anywhere'].join('_');
