import type { AnyTransitionDefinition } from 'xstate';
import { compileActions } from './action.ts';
import { compileGuard, type Guard } from './guard.ts';
import type { Implementations } from './implementations.ts';
import type { Operation } from './work.ts';

/** A transition that a state may take. */
export interface Candidate {
  readonly definition: AnyTransitionDefinition;
  /** Null: it is always taken. */
  readonly guard: Guard | null;
  readonly operations: readonly Operation[];
  /** One without target and actions only says that the event is known: it is refused. */
  readonly isForbidden: boolean;
}

export function candidateOf(definition: AnyTransitionDefinition, implementations: Implementations): Candidate {
  const { guard, actions, target } = definition;
  return {
    definition,
    guard: guard === undefined ? null : compileGuard(guard, implementations),
    operations: compileActions(actions, implementations),
    isForbidden: target === undefined && actions.length === 0,
  };
}
