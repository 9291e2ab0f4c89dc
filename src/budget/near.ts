import type { ReachedLimit } from '../../machines/outcome.ts';
import type { Limits } from '../../machines/settings.ts';
import { formatDuration } from '../text/duration.ts';
import { formatMoney } from '../text/money.ts';
import { type Used, limitRows } from './reached.ts';

/** The code of the warning that a limit is near. */
export const LIMIT_NEAR = 'limit_near';
const NEAR = 0.8;

/** The limits that are used up by 80 % or more, but not entirely. */
export const nearing = (limits: Limits, used: Used): ReachedLimit[] =>
  limitRows(limits, used).flatMap(([name, use, limit]) =>
    limit !== null && use >= limit * NEAR && use < limit ? [{ name, used: use, limit }] : [],
  );

/** Such a limit as text: `most of the token budget is used (210000/250000)`. */
export function nearText({ name, used, limit }: ReachedLimit): string {
  switch (name) {
    case 'steps':
      return `most of the steps are used (${used}/${limit})`;
    case 'iterations':
      return `most of the iterations are used (${used}/${limit})`;
    case 'time_ms':
      return `most of the time is used (${formatDuration(Math.round(used / 1000) * 1000)} of ${formatDuration(limit)})`;
    case 'tool_calls':
      return `most of the tool budget is used (${used}/${limit})`;
    case 'tokens':
      return `most of the token budget is used (${used}/${limit})`;
    case 'cost_nano_usd':
      return `most of the cost budget is used (${formatMoney(used)}/${formatMoney(limit)})`;
  }
}
