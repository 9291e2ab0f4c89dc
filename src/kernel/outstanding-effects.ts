import type { EffectInput } from './step.ts';

/** An effect that was asked for and has not answered. */
export interface Outstanding {
  /** `version/n`: the n-th effect that this version of the run asked for. */
  readonly effect: string;
  /** The id by which its machine knows it. One key has at most one outstanding effect. */
  readonly key: string;
  readonly actor: string;
  readonly input: EffectInput;
  /** 1 at first, one more after each resume. */
  readonly attempt: number;
  /**
   * Cancelling: it was told to stop, its final event is still to come, and it is never started again. Recorded name.
   */
  readonly told: boolean;
  /** It has never started: as many as may are at work before it. */
  readonly queued?: true;
}
