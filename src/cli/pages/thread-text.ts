import type { Thread } from '../../../machines/settings.ts';
import { amount, formatMoney } from '../../text/money.ts';
import { shortId } from '../args/find-run.ts';

/** Which run a run continues, what the thread has cost before it, and what it may cost. */
export function threadText({ continues, tokens, nanoUsd, maxCostNanoUsd }: Thread): string {
  const cap = maxCostNanoUsd === null ? null : `at most ${formatMoney(maxCostNanoUsd)} in all its runs`;
  if (continues === null) return `the first of a thread, ${cap ?? 'without a cap'}`;
  const used = [amount(tokens, 'token'), ...(nanoUsd === 0 ? [] : [formatMoney(nanoUsd)])].join(', ');
  return [`continues run ${shortId(continues)}, after ${used}`, ...(cap === null ? [] : [cap])].join('; ');
}
