import type { RecordedRuns } from '../records/runs-of-log.ts';
import { lifeOf } from '../../kernel/fold.ts';
import { rebuild } from '../../runtime/load-run.ts';
import { accountOf } from '../../budget/allowance.ts';
import { LIMIT_OF } from '../../budget/limit-use.ts';
import type { Life } from '../../../machines/life.ts';
import type { RunSummary } from '../../projections/run-summary.ts';
import type { LimitView } from './run-parts-view.ts';

/** What a run has used and reserved of each of its limits. */
export async function readLimits(
  { log, definitions }: Pick<RecordedRuns, 'log' | 'definitions'>,
  run: string,
  summary: RunSummary,
): Promise<LimitView[]> {
  // What is reserved is known of a run alone that can be folded here.
  const folded = await rebuild(log, run, undefined, definitions).catch(() => null);
  return limitViews(summary, folded?.kind === 'loaded' ? lifeOf(folded.state) : null);
}

function limitViews(summary: RunSummary, life: Life | null): LimitView[] {
  const { limits, spend, iterations, startedAt, at } = summary;
  const held = life ? accountOf(life).held : {};
  const reserved = Object.values(held).reduce(
    (sum, { amount }) => ({ tokens: sum.tokens + amount.tokens, nanoUsd: sum.nanoUsd + amount.nanoUsd }),
    { tokens: 0, nanoUsd: 0 },
  );
  const elapsed = Math.max(0, Date.parse(at) - Date.parse(life?.clockStart ?? startedAt));
  const used = {
    steps: spend.steps,
    iterations: iterations.length,
    time_ms: elapsed,
    tool_calls: spend.toolCalls,
    tokens: spend.inputTokens + spend.outputTokens,
    cost_nano_usd: spend.costNanoUsd ?? 0,
  };
  const aside: { readonly [name: string]: number } = { tokens: reserved.tokens, cost_nano_usd: reserved.nanoUsd };
  return (Object.keys(LIMIT_OF) as (keyof typeof LIMIT_OF)[]).flatMap((name) => {
    const limit = limits[LIMIT_OF[name]] ?? null;
    if (limit === null) return [];
    return [{ name, used: used[name], reserved: aside[name] ?? 0, limit, unit: UNITS[name] ?? 'count' }];
  });
}

const UNITS: { readonly [name: string]: LimitView['unit'] } = { time_ms: 'ms', cost_nano_usd: 'nano_usd' };
