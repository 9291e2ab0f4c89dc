import { summaryReserve } from '../../../machines/life.ts';
import { NO_SPEND, type ReachedLimit } from '../../../machines/outcome.ts';
import type { RunSettings } from '../../../machines/settings.ts';
import { withinWindow } from '../../actors/model/shorter-answer.ts';
import { reserve } from '../../budget/account.ts';
import { accountOf, answerWithin, isLimited, leastOf, leftFor } from '../../budget/allowance.ts';
import { priceOfEither } from '../../budget/next-call.ts';
import { LIMIT_OF } from '../../budget/limit-use.ts';
import { amount, formatMoney } from '../../text/money.ts';
import { flagOf } from '../../options/option-table.ts';
import { plain } from '../../text/one-line.ts';

/** What the caps of a run and the window of its model leave for its first request. */
export interface RoomForRequest {
  /** The longest answer that it asks for, in tokens. Null: its provider decides. */
  readonly answerTokens: number | null;
  /** What it does not fit: a cap, or the window. */
  readonly warnings: readonly string[];
}

/**
 * Whether a first request of so many tokens fits the caps of its run and the window of its model, which is null where
 * it is not known, and how long its answer may be.
 */
export function roomForRequest(
  settings: RunSettings,
  inputTokens: number,
  windowTokens: number | null,
): RoomForRequest {
  const { model, limits, prices, summaryTokens, parameters } = settings;
  const life = { limits, spend: NO_SPEND, reserved: summaryReserve(summaryTokens, prices) };
  const expected = { inputTokens, price: priceOfEither(settings) };
  const left = leftFor(life);
  const most = isLimited(left) ? Math.max(0, answerWithin(left, expected)) : Infinity;
  const asked = Math.min(most, parameters?.maxAnswerTokens ?? Infinity);
  const reserved = reserve(accountOf(life), 'next', leastOf(expected));
  const isTooLong = windowTokens !== null && inputTokens >= windowTokens;
  return {
    answerTokens: asked === Infinity ? null : withinWindow(asked, inputTokens, windowTokens),
    warnings: [
      ...(reserved.kind === 'refused' ? [overCap(reserved.limit)] : []),
      ...(isTooLong ? [overWindow(plain(model), inputTokens, windowTokens)] : []),
    ],
  };
}

function overCap({ name, limit, reserved = 0, next = 0 }: ReachedLimit): string {
  const isMoney = name === 'cost_nano_usd';
  const text = (sum: number) => (isMoney ? formatMoney(sum) : amount(sum, 'token'));
  const option = isMoney ? 'maxCost' : LIMIT_OF.tokens;
  const held = reserved > 0 ? `, of which ${text(reserved)} are set aside for the summary` : '';
  return (
    `The first request alone passes ${option} (${flagOf(option)}): with a short answer it needs about ${text(next)}, ` +
    `and the cap is ${text(limit)}${held}. The run would end before it asks anything.`
  );
}

const overWindow = (model: string, inputTokens: number, windowTokens: number): string =>
  `The first request alone does not fit the window of ${model}: it has about ${amount(inputTokens, 'token')}, and the ` +
  `window ${amount(windowTokens, 'token')}. Shorten the task or what goes with it (${flagOf('instructions')} none, ` +
  `fewer ${flagOf('tools')}), or choose a model with a larger window.`;
