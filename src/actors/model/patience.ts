import type { Remedy } from './model.ts';

/** How often one answer is asked for where the provider fails. */
export const MAX_TRIES = 5;
/** How often a rate limit is waited for before one answer. */
export const MAX_WAITS = 30;
/** The longest single wait: a provider that asks for more is asked again after it. */
export const MAX_WAIT_MS = 7 * 86_400_000;
/** The longest wait where the provider has not said how long. */
const MAX_UNTOLD_WAIT_MS = 3_600_000;
/** What is longer is no pause between two tries but a wait, which outlives this process. */
export const MAX_BACKOFF_MS = 30_000;
const FIRST_BACKOFF_MS = 1_000;
const FIRST_WAIT_MS = 5_000;

/** Tries for one answer that are on record: a crash forgets none of them. */
export interface Tries {
  /** Failed, and asked again. */
  readonly retried: number;
  /** The provider asked for patience. */
  readonly limited: number;
}

export type Next = { readonly kind: 'again' | 'wait'; readonly afterMs: number } | { readonly kind: 'give_up' };

/**
 * What to do after a failure: ask again here after a pause, wait by a timer, or give up. What the provider asks for
 * holds; else pauses double, and `random` (0 to 1) spreads them over their second half, so that many do not come at
 * once.
 */
export function nextAfter(remedy: Remedy, { retried, limited }: Tries, random: number): Next {
  if (remedy === null) return { kind: 'give_up' };
  const { kind, afterMs } = remedy;
  const backoff = (firstMs: number, times: number) => Math.round(firstMs * 2 ** times * (0.5 + random / 2));
  if (kind === 'retry' && (afterMs ?? 0) <= MAX_BACKOFF_MS) {
    if (retried + 1 >= MAX_TRIES) return { kind: 'give_up' };
    return { kind: 'again', afterMs: afterMs || Math.min(MAX_BACKOFF_MS, backoff(FIRST_BACKOFF_MS, retried)) };
  }
  if (limited >= MAX_WAITS) return { kind: 'give_up' };
  return {
    kind: 'wait',
    afterMs: afterMs ? Math.min(MAX_WAIT_MS, afterMs) : Math.min(MAX_UNTOLD_WAIT_MS, backoff(FIRST_WAIT_MS, limited)),
  };
}
