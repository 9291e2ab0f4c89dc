import type { RunOptions } from '../../config/options.ts';
import { thisProcess } from '../../log/holder.ts';
import { sha256 } from '../../log/sha256.ts';
import { readSummary } from '../../projections/read-summary.ts';
import { NANO_USD_PER_USD } from '../../text/money.ts';
import type { App } from '../../app/app.ts';
import { renewLease } from '../../runtime/tree-lease.ts';
import { amountOf, smallerOf } from './worker-options.ts';

/** What the runs of one key may spend in a day, which begins at midnight UTC. */
export type KeyBudget = Pick<RunOptions, 'maxTokens' | 'maxCost'>;

/** The caps of a run that is about to begin; or when its key may spend again, in milliseconds from now. */
export type KeyShare =
  | { readonly kind: 'caps'; readonly caps: KeyBudget }
  | { readonly kind: 'spent'; readonly inMs: number };

const DAY_MS = 86_400_000;

/**
 * What is left for one more run of a key: its budget without what was spent by those that ended today, and without what
 * those that are under way may still spend. A run under way without a cap counts by what it has spent.
 */
export async function shareOf(
  { log, definitions }: Pick<App, 'log' | 'definitions'>,
  key: string,
  budget: KeyBudget,
  now = Date.now(),
): Promise<KeyShare> {
  const midnight = now - (now % DAY_MS);
  let [tokens, nanoUsd] = [
    amountOf('maxTokens', budget.maxTokens ?? 'none'),
    amountOf('maxCost', budget.maxCost ?? 'none'),
  ];
  for (const { run, standing } of await log.submissionsOf(key, new Date(midnight).toISOString())) {
    const summary = await readSummary(log, run, definitions);
    if (!summary) continue;
    const { spend, limits } = summary;
    const spent = spend.inputTokens + spend.outputTokens;
    const reserves = standing !== 'over';
    tokens -= Math.max(spent, reserves ? (limits.maxTokens ?? 0) : 0);
    nanoUsd -= Math.max(spend.costNanoUsd ?? 0, reserves ? (limits.maxCostNanoUsd ?? 0) : 0);
  }
  if (tokens < 1 || nanoUsd < 1) return { kind: 'spent', inMs: midnight + DAY_MS - now };
  return {
    kind: 'caps',
    caps: {
      ...(Number.isFinite(tokens) ? { maxTokens: tokens } : {}),
      ...(Number.isFinite(nanoUsd) ? { maxCost: nanoUsd / NANO_USD_PER_USD } : {}),
    },
  };
}

/**
 * Takes the turn of a key: until it is given back, no other run of the key begins under a budget, on whichever worker.
 * Null: another has it.
 */
export async function keyTurn(log: App['log'], key: string): Promise<(() => Promise<void>) | null> {
  const taken = await log.acquire(`budget.${sha256(key)}`, thisProcess());
  if (taken.kind === 'held') return null;
  const endRenewal = renewLease({ log, lease: taken.lease }, () => {});
  return async () => {
    endRenewal();
    await log.release(taken.lease);
  };
}

/** The options of a run under the smaller of its own caps and of what its key has left. */
export const within = (options: RunOptions, { maxTokens, maxCost }: KeyBudget): RunOptions => {
  const caps = {
    maxTokens: smallerOf(options.maxTokens, maxTokens, 'maxTokens'),
    maxCost: smallerOf(options.maxCost, maxCost, 'maxCost'),
  };
  return { ...options, ...Object.fromEntries(Object.entries(caps).filter(([, cap]) => cap !== undefined)) };
};
