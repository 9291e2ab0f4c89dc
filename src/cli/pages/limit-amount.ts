import type { ReachedLimit } from '../../../machines/outcome.ts';
import { formatDuration } from '../../text/duration.ts';
import { NANO_USD_PER_USD } from '../../text/money.ts';

/** An amount of a limit as its option takes it. */
export function amountIn(name: ReachedLimit['name'], amount: number): string {
  if (name === 'time_ms') return formatDuration(amount);
  return String(name === 'cost_nano_usd' ? amount / NANO_USD_PER_USD : amount);
}
