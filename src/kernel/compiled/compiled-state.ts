import type { AnyStateNode } from 'xstate';
import { compileActions } from './action.ts';
import { type Candidate, candidateOf } from './candidate.ts';
import { starting, stopping } from './child-operations.ts';
import type { Implementations } from './implementations.ts';
import type { Operation } from './work.ts';

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
