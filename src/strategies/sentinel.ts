import { formatDuration } from '../text/duration.ts';
import { usedOf } from '../text/usage-text.ts';
import { formatMoney } from '../text/money.ts';
import type { Finding, Outcome, ReachedLimit } from '../../machines/outcome.ts';

/** The limit or finding that ended a run, for programs and for people. */
export interface Sentinel {
  readonly ending: 'cap_hit' | 'doom_loop' | 'budget';
  readonly limit: ReachedLimit | null;
  readonly finding: Finding | null;
  readonly text: string;
}

/**
 * The sentinel of an ending; null for success and abort, which no limit causes.
 *
 * @example
 * sentinelOf({ ending: 'cap_hit', limit: { name: 'steps', used: 20, limit: 20 } })?.text;
 * // 'step limit reached (20/20)'
 */
export function sentinelOf(outcome: Outcome): Sentinel | null {
  switch (outcome.ending) {
    case 'cap_hit':
    case 'budget':
      return { ending: outcome.ending, limit: outcome.limit, finding: null, text: limitText(outcome.limit) };
    case 'doom_loop':
      return { ending: outcome.ending, limit: null, finding: outcome.finding, text: outcome.finding.message };
    case 'success':
    case 'abort':
      return null;
  }
}

function limitText({ name, used, limit, next, shown, reserved }: ReachedLimit): string {
  switch (name) {
    case 'steps':
      return limit === 0 ? 'step limit reached (text only)' : `step limit reached (${used}/${limit})`;
    case 'iterations':
      return `iteration limit reached (${shown?.used ?? used}/${shown?.limit ?? limit})`;
    case 'time_ms':
      return `time limit reached (${formatDuration(limit)})`;
    case 'tool_calls':
      return `tool budget exhausted (${used}/${limit})`;
    case 'tokens':
      return `token budget exhausted (${budgetText({ used, limit, reserved, next }, String)})`;
    case 'cost_nano_usd':
      return `cost budget exhausted (${budgetText({ used, limit, reserved, next }, formatMoney)})`;
  }
}

type Budget = Pick<ReachedLimit, 'used' | 'limit' | 'reserved' | 'next'>;

const budgetText = (budget: Budget, text: (amount: number) => string): string =>
  `${usedOf(budget, text)}${budget.next === undefined ? '' : `; the next call needs about ${text(budget.next)}`}`;
