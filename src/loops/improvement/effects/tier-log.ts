import { performance } from 'node:perf_hooks';
import { type Tier, tierCompleted } from './candidate-tier.ts';
import type { Shown } from '../witness/turn-of-tests.ts';
import type { Tell } from './news-meanwhile.ts';

/** Tells what each tier of an evaluation said, and keeps what decides. */
export class TierLog {
  readonly #candidate: string;
  readonly #tell: Tell;
  #since = performance.now();
  /** The tier that refused the candidate. Null: none has. */
  refused: Tier | null = null;
  /** Tells whether the witness turned. Null: that was not asked, or something else refused it before. */
  shown: Shown | null = null;
  /** US dollars that commands with a price have cost. */
  costUsd = 0;

  constructor(candidate: string, tell: Tell) {
    this.#candidate = candidate;
    this.#tell = tell;
  }

  /** Whether the next tier is asked. `tookMs`: how long it took; absent: since the one before it. */
  say(tier: Tier, tookMs?: number): boolean {
    this.tell(tier, tookMs);
    if (!tier.passed) this.refused = tier;
    return tier.passed;
  }

  /** Tells of a tier, whatever it decides. */
  tell(tier: Tier, tookMs?: number): void {
    const now = performance.now();
    this.#tell(tierCompleted(this.#candidate, tier, tookMs ?? now - this.#since));
    this.#since = now;
  }
}
