import type { EventOf, LoopEvent } from '../../../machines/events.ts';
import type { Execution, RunContext } from '../../kernel/effect-handlers.ts';
import type { EffectSpec, Interruption } from '../../kernel/effect-spec.ts';
import type { Outstanding } from '../../kernel/fold.ts';
import type { LoopStrategy } from '../../strategies/strategy.ts';
import type { HandlerMemory } from './handler-memory.ts';
import type { EffectServices } from '../../ports/services.ts';

/** One effect that a run asks for, and what its handler may read to answer it. */
export interface EffectRequest {
  readonly effect: Outstanding;
  readonly context: RunContext;
  readonly memory: HandlerMemory;
  /** The strategy that the run follows now: a continuation may have changed it. */
  readonly strategy: LoopStrategy;
}

/** Handles the effects of one name, for every run of a process. */
export interface EffectWork {
  /** Why the run cannot go on yet, where it was resumed and this effect is outstanding; see `EffectHandlers`. */
  readonly hindrance?: (request: EffectRequest) => LoopEvent | null;
  /** Absent: every such effect is decided. */
  readonly execute?: (request: EffectRequest) => Execution;
}

/** An effect of a loop that ships: its description, and its handler, made of the services that it takes of a host. */
export interface Effect extends EffectSpec {
  readonly handler?: (services: EffectServices) => EffectWork;
}

/** The event of an effect that was stopped or lost. `actor`: its key. */
export const lossOf = (actor: string, { reason }: Pick<Interruption, 'reason'>): EventOf<'effect.interrupted'> => ({
  type: 'effect.interrupted',
  payload: { actor, reason },
});
