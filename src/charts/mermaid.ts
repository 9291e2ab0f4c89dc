import type { CatalogueEntry } from '../../machines/index.ts';
import type { ChartMarks } from './marks.ts';
import { nodesOf, type StateNode, type Transition, transitionsOf } from './transitions.ts';

type Machine = CatalogueEntry['machine'];

export interface ChartOptions {
  /** How many levels of states are drawn. What lies deeper is drawn as the state it is part of. */
  readonly depth?: number;
  /** What a run has done: states and labels say how often, and the state it is in is drawn bold. */
  readonly marks?: ChartMarks;
}

type Drawing = Required<ChartOptions> & { readonly transitions: readonly Transition[] };

/**
 * A machine as a Mermaid state diagram: every state, and every transition that leads to one, labelled `event [guard]`.
 * What a composite state does wherever it stands starts at `anywhere`; events that only change the context are left out.
 *
 * @example
 * const overview = mermaid(turn, { depth: 1 });
 */
export function mermaid(machine: Machine, { depth = Number.POSITIVE_INFINITY, marks = {} }: ChartOptions = {}): string {
  const drawing = { depth, marks, transitions: transitionsOf(machine) };
  return ['stateDiagram-v2', ...inside(machine.root, drawing), ...edges(drawing), ...highlight(machine.root, drawing)].join('\n');
}

/** Its sub-states, and where it starts. */
function inside(node: StateNode, drawing: Drawing): string[] {
  const start = node.initial.target[0];
  const states = Object.values(node.states).flatMap((state) => drawn(state, drawing));
  return [...(start ? [`  [*] --> ${idOf(start)}`] : []), ...anywhere(node, drawing), ...states];
}

function drawn(node: StateNode, drawing: Drawing): string[] {
  const named = `  state "${node.key}${times(drawing.marks.visits?.[pathOf(node)])}" as ${idOf(node)}`;
  if (node.type === 'final') return [named, `  ${idOf(node)} --> [*]`];
  if (isWhole(node, drawing)) return [named];
  return [`${named} {`, ...inside(node, drawing).map((line) => `  ${line}`), '  }'];
}

/** A state that has a transition into itself, whatever it is doing, needs a place where that starts. */
function anywhere(node: StateNode, { depth, transitions }: Drawing): string[] {
  const leadsInside = transitions.some(({ from, to }) => from === node && to.some((target) => isWithin(lifted(target, depth), node)));
  return leadsInside ? [`  state "anywhere" as ${anywhereIn(node)}`] : [];
}

/** Those between the same two states share an arrow. */
function edges({ depth, marks, transitions }: Drawing): string[] {
  const arrows = new Map<string, Map<string, number>>();
  for (const { id, from, to: targets, ...words } of transitions) {
    for (const to of targets) {
      const [source, target] = [lifted(from, depth), lifted(to, depth)];
      if (source === target && (source !== from || target !== to)) continue;
      const arrow = `${isWithin(target, source) ? anywhereIn(source) : idOf(source)} --> ${idOf(target)}`;
      const labels = arrows.get(arrow) ?? new Map<string, number>();
      const label = labelOf(words);
      arrows.set(arrow, labels.set(label, (labels.get(label) ?? 0) + (marks.taken?.[id] ?? 0)));
    }
  }
  return [...arrows].map(([arrow, labels]) => `  ${arrow} : ${[...labels].map(([label, taken]) => `${label}${times(taken)}`).join(' or ')}`);
}

/** Mermaid gives a class to innermost states alone. */
function highlight(root: StateNode, drawing: Drawing): string[] {
  const { active = [] } = drawing.marks;
  const bold = nodesOf(root).filter((node) => node.path.length <= drawing.depth && isWhole(node, drawing) && active.includes(pathOf(node)));
  if (bold.length === 0) return [];
  return ['  classDef active font-weight:bold,stroke-width:4px', ...bold.map((node) => `  class ${idOf(node)} active`)];
}

function labelOf({ event, guard }: Pick<Transition, 'event' | 'guard'>): string {
  const words = [...(event === null ? [] : [event]), ...(guard === null ? [] : [`[${guard}]`])];
  return words.join(' ') || 'otherwise';
}

/** Drawn without its parts: it has none, or they lie too deep. */
const isWhole = (node: StateNode, { depth }: Drawing): boolean => Object.keys(node.states).length === 0 || node.path.length >= depth;

function lifted(node: StateNode, depth: number): StateNode {
  return node.parent && node.path.length > depth ? lifted(node.parent, depth) : node;
}

const isWithin = (node: StateNode, outer: StateNode): boolean =>
  node !== outer && outer.path.every((key, level) => node.path[level] === key);

const times = (count: number | undefined): string => (count ? ` ×${count}` : '');
const idOf = ({ path }: StateNode): string => path.join('_');
const pathOf = ({ path }: StateNode): string => path.join('.');
const anywhereIn = ({ path }: StateNode): string => [...path, 'anywhere'].join('_');
