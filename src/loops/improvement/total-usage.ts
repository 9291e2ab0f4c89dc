import type { Usage } from '../../../machines/usage.ts';

/** What several calls have used together. Undefined: there was none. The sum of costs has no single price. */
export function totalUsage(usages: readonly (Usage | undefined)[]): Usage | undefined {
  const all = usages.filter((one) => one !== undefined);
  const [first] = all;
  if (!first || all.length === 1) return first;
  const sum = (of: (usage: Usage) => number | undefined) => all.reduce((total, usage) => total + (of(usage) ?? 0), 0);
  return {
    inputTokens: sum(({ inputTokens }) => inputTokens),
    outputTokens: sum(({ outputTokens }) => outputTokens),
    ...(all.some(({ estimated }) => estimated) ? { estimated: true } : {}),
    ...(all.some(({ cost }) => cost) ? { cost: { nanoUsd: sum(({ cost }) => cost?.nanoUsd) } } : {}),
  };
}
