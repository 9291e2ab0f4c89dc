import type { ToolCall } from '../../machines/events.ts';
import type { LoopStrategy } from '../strategies/strategy.ts';
import type { RunMemory } from './loop-memory.ts';
import type { Outstanding } from './outstanding-effects.ts';

/** Who answers a call of the model: a tool, a person, or a child run. */
export type CallKind = 'tool' | 'person' | 'child';

/** `tools`: the tools that the run offers. */
export type CallKindOf = (call: Pick<ToolCall, 'tool' | 'arguments'>, tools: readonly string[]) => CallKind;

/** The ground that pure answers of a run rest on, beside the state of its machine. */
export interface Deciding {
  readonly memory: RunMemory;
  /** The strategy that the run follows now: a continuation may have changed it. */
  readonly strategy: LoopStrategy;
  readonly callKind: CallKindOf;
  /** A person attends the runs of this process. */
  readonly isAttended: boolean;
  /** Models of this process answer many questions at once, later. */
  readonly hasBatches: boolean;
}

/** The effect that is answered, and what its answer rests on. */
export interface Asked extends Omit<Deciding, 'memory'> {
  readonly effect: Outstanding;
}
