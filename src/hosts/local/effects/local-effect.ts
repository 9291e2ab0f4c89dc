import type { LoopEvent } from '../../../../machines/events.ts';
import type { Execution, RunContext } from '../../../kernel/effect-handlers.ts';
import type { Outstanding } from '../../../kernel/fold.ts';
import type { LoopStrategy } from '../../../strategies/strategy.ts';
import type { HandlerMemory } from './handler-memory.ts';

/** One effect that a run asks for, and what its handler may read to answer it. */
export interface EffectRequest {
  readonly effect: Outstanding;
  readonly context: RunContext;
  readonly memory: HandlerMemory;
  /** The strategy that the run follows now: a continuation may have changed it. */
  readonly strategy: LoopStrategy;
}

/** Handles the effects of one name, for every run of this process. */
export interface LocalEffect {
  /** The answer where it is a pure decision, recorded in the transaction that asks. Null: execute the effect. */
  readonly decide?: (request: EffectRequest) => LoopEvent | null;
  /** Why the run cannot go on yet, where it was resumed and this effect is outstanding; see `EffectHandlers`. */
  readonly hindrance?: (request: EffectRequest) => LoopEvent | null;
  /** Absent: every such effect is decided. */
  readonly execute?: (request: EffectRequest) => Execution;
}
