import type { LoopEvent } from '../../machines/events.ts';

/**
 * Why a message changes nothing. `left`: the run continues, elsewhere or later. `unowned`: a pause, and no process runs
 * it. `aborting`: a pause, and the run is about to end.
 */
export type Refusal =
  | 'ended'
  | 'left'
  | 'unexpected'
  | 'not_outstanding'
  | 'not_json'
  | 'paused'
  | 'unowned'
  | 'aborting';
export type PostResult =
  | { readonly kind: 'accepted'; readonly version: number }
  | { readonly kind: 'rejected'; readonly because: Refusal };

/** An event on its way to a run. */
export interface RunMessage {
  readonly event: LoopEvent;
  /** The effect (`version/n`) it is a result of. */
  readonly causation: string | null;
  /** The inbox entry it delivers. */
  readonly entry?: number;
  readonly answered?: (result: PostResult) => void;
}
