import type { AnyStateNode, AnyTransitionDefinition } from 'xstate';
import type { Operation } from './work.ts';
import { compileActions, starting, stopping } from './action.ts';
import type { Implementations } from './implementations.ts';
import { compileGuard, type Guard } from './guard.ts';

/** All that one transition does from one place, and the innermost state that it leads to. */
export interface Plan {
  readonly operations: readonly Operation[];
  readonly leaf: AnyStateNode;
}

/** As XState goes: exits from the inside out, the transition's own actions, entries from the outside in. */
export function planOf(at: AnyStateNode, candidate: Candidate, states: ReadonlyMap<AnyStateNode, CompiledState>): Plan {
  const { definition, operations: own } = candidate;
  const to: AnyStateNode | undefined = definition.target?.[0];
  if (!to) return { operations: own, leaf: at };
  const { source, reenter } = definition;
  const domain = domainOf(to, source, reenter);
  const compiled = (node: AnyStateNode) => states.get(node) ?? [];
  const exited = outermostFirst([at, ...around(at)].filter((node) => isWithin(node, domain))).toReversed();
  const isEntered = to !== source || source !== domain || reenter;
  const inside = defaultsIn(to);
  const byDefault = new Set([...(isEntered ? [to] : []), ...inside]);
  const entered = outermostFirst([...between(to, domain), ...byDefault]);
  const leaf = inside.at(-1) ?? to;
  const operations = [
    ...exited.flatMap(compiled).flatMap(({ exit, stops }) => [...exit, ...stops]),
    ...own,
    ...entered
      .flatMap(compiled)
      .flatMap(({ node, entry, starts, initial }) => [...entry, ...starts, ...(byDefault.has(node) ? initial : [])]),
    // A machine that ends leaves all of its states; its children are stopped after that.
    ...(leaf.type === 'final' ? [leaf, ...around(leaf)].flatMap(compiled).flatMap(({ exit }) => exit) : []),
  ];
  return { operations, leaf };
}

/** The state that a transition stays within. */
function domainOf(to: AnyStateNode, source: AnyStateNode, reenter: boolean): AnyStateNode {
  if (!reenter && (to === source || isWithin(to, source))) return source;
  return around(to).find((node) => isWithin(source, node)) ?? source.machine.root;
}

const outermostFirst = (nodes: readonly AnyStateNode[]) => nodes.toSorted((one, other) => one.order - other.order);

const around = (node: AnyStateNode): AnyStateNode[] => (node.parent ? [node.parent, ...around(node.parent)] : []);

const isWithin = (node: AnyStateNode, outer: AnyStateNode): boolean => around(node).some((one) => one === outer);

/** The states between a state and one around it, without either. */
const between = (node: AnyStateNode, outer: AnyStateNode): AnyStateNode[] =>
  around(node).filter((one) => isWithin(one, outer));

/** The states that are entered with a state, down to the innermost. */
function defaultsIn(node: AnyStateNode): AnyStateNode[] {
  const first: AnyStateNode | undefined = node.type === 'compound' ? node.initial.target[0] : undefined;
  return first ? [first, ...defaultsIn(first)] : [];
}

/** A state of a chart with its actions and transitions compiled. */
export interface CompiledState {
  readonly node: AnyStateNode;
  readonly entry: readonly Operation[];
  /** With its own exit actions only; the children that it invoked are stopped after them. */
  readonly exit: readonly Operation[];
  readonly starts: readonly Operation[];
  readonly stops: readonly Operation[];
  /** What its initial transition does, where it is entered by default. */
  readonly initial: readonly Operation[];
  readonly on: ReadonlyMap<string, readonly Candidate[]>;
  readonly always: readonly Candidate[];
}

export function compileState(node: AnyStateNode, implementations: Implementations): CompiledState {
  const { self } = implementations;
  const candidates = (definitions: AnyStateNode['always']) =>
    (definitions ?? []).map((definition) => candidateOf(definition, implementations));
  return {
    node,
    entry: compileActions(node.entry, implementations),
    exit: compileActions(node.exit, implementations),
    // XState takes no `syncSnapshot` of an invoked child.
    starts: node.invoke.map((child) => starting({ ...child, syncSnapshot: false }, implementations)),
    stops: node.invoke.map(({ id }) => stopping(id, null, self)),
    initial: node.type === 'compound' ? compileActions(node.initial.actions, implementations) : [],
    on: new Map([...node.transitions].map(([type, definitions]) => [type, candidates(definitions)])),
    always: candidates(node.always),
  };
}

/** A transition that a state may take. */
export interface Candidate {
  readonly definition: AnyTransitionDefinition;
  /** Null: it is always taken. */
  readonly guard: Guard | null;
  readonly operations: readonly Operation[];
  /** One without target and actions only says that the event is known: it is refused. */
  readonly isForbidden: boolean;
}

function candidateOf(definition: AnyTransitionDefinition, implementations: Implementations): Candidate {
  const { guard, actions, target } = definition;
  return {
    definition,
    guard: guard === undefined ? null : compileGuard(guard, implementations),
    operations: compileActions(actions, implementations),
    isForbidden: target === undefined && actions.length === 0,
  };
}
