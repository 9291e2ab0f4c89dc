import type { Life } from '../../machines/life.ts';
import type { ReachedLimit } from '../../machines/outcome.ts';
import { type Amount, heldOf, reserve, spentOf } from '../budget/account.ts';
import { accountOf, BUDGET_EXHAUSTED, type Expected, leastOf } from '../budget/allowance.ts';
import { estimatedTokens } from '../budget/message-length.ts';
import { setAside, type Used } from '../budget/limit-use.ts';
import type { Rounds } from '../kernel/loop-ranking.ts';

/**
 * What a run has used by a time, and what is set aside for its summary: nothing else may use that. Each round counts as
 * at least one token and one millisecond, so that every limit of a run also ends it.
 */
export function usedBy(life: Life, at: string, { count, used = count, limit }: Rounds): Used {
  const { limits, spend, clockStart, deadlinePassed } = life;
  const rounds = used(life);
  const elapsedMs = Math.max(rounds, Date.parse(at) - Date.parse(clockStart));
  const { spent, held } = accountAt(life);
  return {
    steps: limit === 'steps' ? Math.max(spend.steps, rounds) : spend.steps,
    iterations: limit === 'iterations' ? rounds : 0,
    timeMs: deadlinePassed ? Math.max(elapsedMs, limits.maxTimeMs ?? 0) : elapsedMs,
    toolCalls: spend.toolCalls,
    tokens: Math.max(spent.tokens, rounds),
    nanoUsd: spent.nanoUsd,
    ...(held.tokens + held.nanoUsd > 0 ? { reserved: { tokens: held.tokens, nanoUsd: held.nanoUsd } } : {}),
  };
}

/** Spent, and held for the summary; reservations of effects that still run are not used yet. */
function accountAt({ limits, spend, reserved: { summary } }: Life): { readonly spent: Amount; readonly held: Amount } {
  const account = accountOf({ limits, spend, reserved: summary ? { summary } : {} });
  return { spent: spentOf(account), held: heldOf(account) };
}

/** The limit that has too little left for the next call, with what the call needs. Null: there is enough. */
export function unaffordable(life: Life, next: Expected, feedback = ''): ReachedLimit | null {
  const expected = { ...next, inputTokens: next.inputTokens + estimatedTokens(feedback.length) };
  const reserved = reserve(accountOf(life), 'next', leastOf(expected));
  if (reserved.kind === 'refused') return reserved.limit;
  return life.fault?.fault.code === BUDGET_EXHAUSTED ? scarcest(life, expected) : null;
}

/** The actor refused the call as unaffordable, though the estimate fits: it knows the real size of the request. */
function scarcest(life: Life, expected: Expected): ReachedLimit {
  const { limits } = life;
  const { spent, held } = accountAt(life);
  const least = leastOf(expected);
  const money: ReachedLimit = {
    name: 'cost_nano_usd',
    used: spent.nanoUsd,
    limit: limits.maxCostNanoUsd ?? 0,
    ...setAside(held.nanoUsd),
    next: least.nanoUsd,
  };
  const tokens: ReachedLimit = {
    name: 'tokens',
    used: spent.tokens,
    limit: limits.maxTokens ?? 0,
    ...setAside(held.tokens),
    next: least.tokens,
  };
  return limits.maxTokens === null ? money : tokens;
}
