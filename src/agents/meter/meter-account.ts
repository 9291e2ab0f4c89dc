import type { Usage } from '../../../machines/events.ts';
import { dearest, type Price } from '../../../machines/price.ts';
import { withCost } from '../../budget/cost.ts';
import { formatMoney } from '../../text/money.ts';
import { MAX_ANSWER_TOKENS } from '../../budget/allowance.ts';
import type { Counted } from './wire.ts';

/** Bytes of a request for one token, at least: code has more. */
const BYTES_A_TOKEN = 3;
/** With room for less, a call is refused: an agent could not finish an edit. */
const MIN_ANSWER_TOKENS = 1_024;

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
  /** The longest answer that is reserved. Null: it is not limited. */
  readonly answerTokens: number | null;
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

  /**
   * Reserves the most that a call may use, with a shorter answer than it asks for where there is no room for that one.
   * Returns the reason why it must not leave as a text.
   */
  reserve(asked: Asked): Held | string {
    const { price } = asked;
    const inputTokens = Math.ceil(asked.bytes / BYTES_A_TOKEN);
    const wanted = asked.answerTokens ?? MAX_ANSWER_TOKENS;
    const worth = price && dearest(price);
    const room = this.#roomFor(inputTokens, worth);
    const refusal = this.#refusalOf(
      asked,
      inputTokens + Math.min(wanted, MIN_ANSWER_TOKENS),
      room >= Math.min(wanted, MIN_ANSWER_TOKENS),
    );
    if (refusal !== null) {
      this.#refusal ??= refusal;
      return refusal;
    }
    const answerTokens = Math.min(wanted, room);
    const nanoUsd = worth ? Math.ceil(inputTokens * worth.input + answerTokens * worth.output) : 0;
    const isLimited = room < Infinity;
    const held = { answerTokens: isLimited ? answerTokens : null, tokens: inputTokens + answerTokens, nanoUsd, price };
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

  /** Gives a reservation back, of a call that must not leave after all. */
  refuse(held: Held, reason: string): void {
    this.#held.delete(held);
    this.#refusal ??= reason;
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

  /** The longest answer for which there is room beside an input. */
  #roomFor(inputTokens: number, worth: ReturnType<typeof dearest> | null): number {
    const { tokens, nanoUsd } = this.#allowed;
    const held = [...this.#held];
    const used = this.#spent.inputTokens + this.#spent.outputTokens;
    const byTokens =
      tokens === null ? Infinity : tokens - used - held.reduce((sum, one) => sum + one.tokens, 0) - inputTokens;
    if (nanoUsd === null || worth === null) return byTokens;
    const spent = (this.#spent.cost?.nanoUsd ?? 0) + held.reduce((sum, one) => sum + one.nanoUsd, 0);
    const rest = nanoUsd - spent - Math.ceil(inputTokens * worth.input);
    const byMoney = worth.output > 0 ? Math.floor(rest / worth.output) : Math.sign(rest) * Infinity;
    return Math.min(byTokens, byMoney);
  }

  #refusalOf({ model, price }: Asked, neededTokens: number, isRoom: boolean): string | null {
    const { tokens, nanoUsd } = this.#allowed;
    if (nanoUsd !== null && price === null)
      return `the cost of a run is limited, and the price of ${model || 'its model'} is not known`;
    if (isRoom) return null;
    const limits = [
      ...(tokens === null ? [] : [`${tokens} tokens`]),
      ...(nanoUsd === null ? [] : [formatMoney(nanoUsd)]),
    ];
    return `what is left of ${limits.join(' and ')} has no room for another call, of up to ${neededTokens} tokens`;
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
