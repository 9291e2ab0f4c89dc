import type { LoopEvent } from '../../machines/events.ts';
import type { Delta, EffectCall } from '../actors/actor.ts';
import type { ChildExecution } from '../kernel/effect-handlers.ts';
import type { RunState } from '../kernel/fold.ts';
import type { Envelope } from '../log/envelope.ts';
import type { Append, AppendResult } from '../log/event-store.ts';
import type { Log } from '../log/log.ts';

/** A fact of a run, once it is durable, and the state that it led to. */
export interface RunStep {
  readonly envelope: Envelope;
  readonly state: RunState;
}

/** What a run needs of the tree it belongs to. */
export interface TreeAccess {
  readonly log: Log;
  readonly epoch: number;
  /** Milliseconds since 1970, by the clock of the tree. `newest`: the newest recorded time of the run. */
  now(newest?: number): number;
  /** How far the machine's clock has jumped since it was asked last. 0: it has not. */
  jumped(): number;
  publish(envelopes: readonly Envelope[], states: readonly RunState[]): void;
  delta(run: string, effect: string, delta: Delta): void;
  /**
   * Appends facts of a run. With the first ones of a new tree its lease is taken, and with the last ones of its only
   * run given back, in the same transaction: the log need not keep the order of its calls.
   */
  append(request: Append): Promise<AppendResult>;
  /** The environment has failed an effect of one of the runs: all of them pause. */
  hinder(reason: string): void;
  /** Executes an effect that is a run of its own. */
  child(execution: ChildExecution, call: EffectCall): AsyncIterable<LoopEvent>;
}
