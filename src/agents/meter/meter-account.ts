import type { Usage } from '../../../machines/events.ts';
import { dearest, type Price } from '../../../machines/price.ts';
import { withCost } from '../../budget/cost.ts';
import { MAX_ANSWER_TOKENS } from '../../budget/allowance.ts';
import type { Counted } from './wire.ts';

/** Bytes of a request for one token, at least: code has more. */
const BYTES_A_TOKEN = 3;

/** What may be spent; null where it is not limited. `nanoUsd`: in billionths of a US dollar. */
export interface Allowed {
  readonly tokens: number | null;
  readonly nanoUsd: number | null;
}

/** One call before it leaves. */
export interface Asked {
  readonly model: string;
  readonly bytes: number;
  /** The longest answer that it allows. Null: it does not say. */
  readonly answerTokens: number | null;
  /** Null: the price is not known. */
  readonly price: Price | null;
}

/** A reservation for one call, to be settled once. */
export interface Held {
  readonly tokens: number;
  readonly nanoUsd: number;
  readonly price: Price | null;
}

/** The account of an agent: each call is reserved before it leaves, and settled when its answer has ended. */
export class MeterAccount {
  readonly #allowed: Allowed;
  readonly #held = new Set<Held>();
  #spent: Usage = { inputTokens: 0, outputTokens: 0 };
  #calls = 0;
  #refusal: string | null = null;

  constructor(allowed: Allowed) {
    this.#allowed = allowed;
  }

  /** Reserves the most that a call may use. Returns the reason why it must not leave as a text. */
  reserve(asked: Asked): Held | string {
    const { price } = asked;
    const inputTokens = Math.ceil(asked.bytes / BYTES_A_TOKEN);
    const tokens = inputTokens + (asked.answerTokens ?? MAX_ANSWER_TOKENS);
    const worth = price && dearest(price);
    const nanoUsd = worth ? Math.ceil(inputTokens * worth.input + (tokens - inputTokens) * worth.output) : 0;
    const refusal = this.#refusalOf({ tokens, nanoUsd }, asked);
    if (refusal !== null) {
      this.#refusal ??= refusal;
      return refusal;
    }
    const held = { tokens, nanoUsd, price };
    this.#held.add(held);
    return held;
  }

  /** Replaces a reservation by what the call has used. Null: nothing, because it was not answered. */
  settle(held: Held, used: Counted | null, isEstimated = false): void {
    if (!this.#held.delete(held) || used === null) return;
    this.#calls += 1;
    const usage = withCost({ ...used, ...(isEstimated ? { estimated: true as const } : {}) }, held.price);
    this.#spent = sumOf(this.#spent, usage);
  }

  /** What all calls have used that are settled. */
  spent(): Usage {
    return this.#spent;
  }

  /** Calls that were answered. */
  calls(): number {
    return this.#calls;
  }

  /** The reason of the first refusal. Null: none was refused. */
  refusal(): string | null {
    return this.#refusal;
  }

  #refusalOf(next: Pick<Held, 'tokens' | 'nanoUsd'>, { model, price }: Asked): string | null {
    const { tokens, nanoUsd } = this.#allowed;
    const held = [...this.#held];
    const heldTokens = held.reduce((sum, one) => sum + one.tokens, 0);
    const used = this.#spent.inputTokens + this.#spent.outputTokens;
    if (tokens !== null && used + heldTokens + next.tokens > tokens)
      return `what is left of ${tokens} tokens has no room for another call`;
    if (nanoUsd === null) return null;
    if (price === null) return `the cost of a run is limited, and the price of ${model || 'its model'} is not known`;
    const heldMoney = held.reduce((sum, one) => sum + one.nanoUsd, 0);
    return (this.#spent.cost?.nanoUsd ?? 0) + heldMoney + next.nanoUsd > nanoUsd
      ? 'what is left of the money has no room for another call'
      : null;
  }
}

/** The usage of a call whose answer broke off: what was told, and the rest by its length, never too little. */
export const cutUsage = (told: Counted, askedBytes: number, saidBytes: number): Counted => ({
  ...told,
  inputTokens: told.inputTokens || Math.ceil(askedBytes / BYTES_A_TOKEN),
  outputTokens: Math.max(told.outputTokens, Math.ceil(saidBytes / BYTES_A_TOKEN)),
});

function sumOf(one: Usage, other: Usage): Usage {
  const nanoUsd = (one.cost?.nanoUsd ?? 0) + (other.cost?.nanoUsd ?? 0);
  return {
    inputTokens: one.inputTokens + other.inputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
    cachedInputTokens: (one.cachedInputTokens ?? 0) + (other.cachedInputTokens ?? 0),
    cacheWriteTokens: (one.cacheWriteTokens ?? 0) + (other.cacheWriteTokens ?? 0),
    ...(one.estimated || other.estimated ? { estimated: true } : {}),
    ...(one.cost || other.cost ? { cost: { nanoUsd } } : {}),
  };
}
