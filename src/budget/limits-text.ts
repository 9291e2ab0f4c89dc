import type { Limits } from '../../machines/settings.ts';
import { amount, formatMoney } from '../text/money.ts';
import { formatDuration } from '../text/duration.ts';

/** The caps that are set, for people: `4 iterations, 50,000 tokens, $1.50, 10m`. */
export function limitsText({
  maxIterations,
  maxSteps,
  maxToolCalls,
  maxTokens,
  maxTimeMs,
  maxCostNanoUsd = null,
}: Limits): string {
  const capped = [
    [maxIterations, 'iteration'],
    [maxSteps, 'step'],
    [maxToolCalls, 'tool call'],
    [maxTokens, 'token'],
  ] as const;
  const counts = capped.flatMap(([limit, unit]) => (limit === null ? [] : [amount(limit, unit)]));
  const others = [
    maxCostNanoUsd === null ? [] : [formatMoney(maxCostNanoUsd)],
    maxTimeMs === null ? [] : [formatDuration(maxTimeMs)],
  ];
  return [...counts, ...others.flat()].join(', ');
}

interface Shared {
  readonly tokens: number | null;
  readonly nanoUsd: number | null;
}

/** What one call may use, for people: `1,200 tokens, $0.02`. */
export function shareText({ tokens, nanoUsd }: Shared): string {
  const parts = [
    ...(tokens === null ? [] : [amount(tokens, 'token')]),
    ...(nanoUsd === null ? [] : [formatMoney(nanoUsd)]),
  ];
  return parts.join(', ') || 'nothing';
}
