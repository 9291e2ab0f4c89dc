import type { ReachedLimit } from '../../machines/outcome.ts';
import type { Limits } from '../../machines/settings.ts';
import { formatDuration } from '../text/duration.ts';
import { formatMoney } from '../text/money.ts';
import { usedOf } from '../text/usage-text.ts';
import { type Used, limitRows, setAside } from './limit-use.ts';

/** The code of the warning that a limit is near. */
export const LIMIT_NEAR = 'limit_near';
const NEAR = 0.8;

/** The limits that are used up by 80 % or more, but not entirely. */
export const nearing = (limits: Limits, used: Used): ReachedLimit[] =>
  limitRows(limits, used).flatMap(([name, use, limit, reserved = 0]) =>
    limit !== null && use + reserved >= limit * NEAR && use + reserved < limit
      ? [{ name, used: use, limit, ...setAside(reserved) }]
      : [],
  );

/** Such a limit as text: `most of the token budget is used (210000/250000)`. */
export function nearText({ name, used, limit, reserved = 0 }: ReachedLimit): string {
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
      return `most of the token budget is used (${usedOf({ used, limit, reserved }, String)})`;
    case 'cost_nano_usd':
      return `most of the cost budget is used (${usedOf({ used, limit, reserved }, formatMoney)})`;
  }
}
