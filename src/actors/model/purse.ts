import type { Share, Usage } from '../../../machines/events.ts';
import type { Price } from '../../../machines/price.ts';
import { answerWithin, MIN_ANSWER_TOKENS } from '../../budget/allowance.ts';
import { tokensOf } from '../../budget/limit-use.ts';
import { costOf } from '../../budget/cost.ts';
import type { ModelRequest } from './model.ts';
import { expectedTokens } from './full-window.ts';

/** What one answer may use, with all its tries: null is unlimited. */
export interface Allowance extends Pick<Share, 'tokens' | 'nanoUsd'> {
  /** What is expected to go in. */
  readonly inputTokens: number;
  /** The provider has counted input once: before, the size of the tools' descriptions is unknown. */
  readonly isCounted: boolean;
}

/** What is left of an allowance while one answer is asked for, again and again where that must be. */
export class Purse {
  readonly #likelyTokens: number;
  #tokens: number | null;
  #nanoUsd: number | null;

  constructor({ tokens, nanoUsd, inputTokens, isCounted }: Allowance, request: ModelRequest) {
    this.#tokens = tokens;
    this.#nanoUsd = nanoUsd;
    this.#likelyTokens = expectedTokens(request, { inputTokens, isCounted });
  }

  /** How long the next answer may be. Null: there is no room for one that makes sense. */
  answerTokens(price: Price | null): number | null {
    const left = { tokens: this.#tokens, nanoUsd: this.#nanoUsd };
    const most = answerWithin(left, { inputTokens: this.#likelyTokens, price });
    return most < MIN_ANSWER_TOKENS ? null : most;
  }

  /** The usage of a try that was not counted: the most it might have used. */
  worst(answerTokens: number): Usage {
    const tokens = Math.min(this.#likelyTokens + answerTokens, this.#tokens ?? Infinity);
    const inputTokens = Math.min(tokens, this.#likelyTokens);
    return { inputTokens, outputTokens: tokens - inputTokens, estimated: true };
  }

  draw(usage: Usage, price: Price | null): void {
    if (this.#tokens !== null) this.#tokens -= tokensOf(usage);
    if (this.#nanoUsd !== null) this.#nanoUsd -= usage.cost?.nanoUsd ?? (price ? costOf(usage, price) : 0);
  }
}
