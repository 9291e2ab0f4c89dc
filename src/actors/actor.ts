import type { LoopEvent } from '../../machines/events.ts';

/**
 * What may be done with an effect whose outcome a crash has swallowed: `repeatable` is started again, `reconcilable` is
 * asked whether it happened, `once` is reported as interrupted and never started again.
 */
export type EffectClass = 'repeatable' | 'reconcilable' | 'once';

/** A piece of something that is still being produced. Shown to people, never logged. */
export interface Delta {
  readonly kind: 'text' | 'output';
  readonly text: string;
}

export interface EffectCall {
  /** `RUN/version/n`, the same again when the effect is started again after a crash. */
  readonly id: string;
  /** 1 at first, one more after each resume. */
  readonly attempt: number;
  /** Told to stop. Its reason is a `Stopped`. Answer soon with what there is: the run waits a bounded grace. */
  readonly signal: AbortSignal;
  readonly delta: (delta: Delta) => void;
  /** Milliseconds since 1970 by the clock of the run, which does not jump. Absent: that of the machine counts. */
  readonly now?: () => number;
}

/** Why an effect is told to stop: the run is ending, or it only pauses and the effect may be started again later. */
export type Stopped = 'abort' | 'pause';

/**
 * Performs one kind of effect. It never throws: a failure is an event. The last event it yields is its result, those
 * before are facts on the way. Ending without a result means interrupted.
 */
export interface Actor<Input> {
  readonly effectClass: (input: Input) => EffectClass;
  readonly execute: (input: Input, call: EffectCall) => AsyncIterable<LoopEvent>;
  /** Only `reconcilable`: the result if it happened, null if it did not and may be started. */
  readonly reconcile?: (input: Input, call: EffectCall) => Promise<LoopEvent | null>;
}
