import type { LoopEvent } from '../../machines/events.ts';
import type { Delta, EffectCall } from '../actors/actor.ts';
import type { ChildExecution } from '../kernel/effect-handlers.ts';
import type { Envelope } from '../log/envelope.ts';
import type { Log } from '../log/log.ts';

/** What a run needs of the tree it belongs to. */
export interface TreeAccess {
  readonly log: Log;
  readonly epoch: number;
  /** Milliseconds since 1970. */
  now(): number;
  publish(envelopes: readonly Envelope[]): void;
  delta(run: string, effect: string, delta: Delta): void;
  /** The last facts of a run are on their way to the log. */
  ending(run: string): void;
  /** The environment has failed an effect of one of the runs: all of them pause. */
  hinder(reason: string): void;
  /** Executes an effect that is a run of its own. */
  child(execution: ChildExecution, call: EffectCall): AsyncIterable<LoopEvent>;
}
