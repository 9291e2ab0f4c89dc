import type { Share } from '../../machines/events.ts';
import type { Spend } from '../../machines/outcome.ts';
import type { Limits } from '../../machines/settings.ts';
import { type Amount, leftOf, NOTHING, openAccount, WORK } from './account.ts';
import { tokensOf } from './reached.ts';

/** A share below this is of no use to anybody: it would be gone before the first answer. */
export const LEAST_SHARE_TOKENS = 64;

type Left = { readonly [unit in keyof Amount]: number | null };

/** What a run has left of its limits. `setAsideTokens` are kept for something else. */
export function leftIn(limits: Limits, spend: Spend, setAsideTokens = 0): Left {
  const { maxSteps: steps, maxToolCalls: toolCalls, maxTokens, maxCostNanoUsd: nanoUsd = null } = limits;
  const tokens = maxTokens === null ? null : Math.max(0, maxTokens - setAsideTokens);
  const spent = { ...NOTHING, steps: spend.steps, toolCalls: spend.toolCalls, tokens: tokensOf(spend), nanoUsd: spend.costNanoUsd ?? 0 };
  return leftOf({ ...openAccount({ steps, toolCalls, tokens, nanoUsd }), spent: { [WORK]: spent } });
}

/**
 * A share for each piece of work that is handed over at once, smaller where less was asked for. One equal part more is
 * kept back: whoever hands work over has to make something of what comes of it. Together they are never more than is left.
 * Null: nothing is left for it. Who asked first is served first.
 *
 * @example
 * fairShares(leftIn(limits, spend), [null, 2_000]);
 */
export function fairShares(left: Left, wishes: readonly (number | null)[]): readonly (Share | null)[] {
  const served = wishes.slice(0, roomFor(left, wishes.length));
  const part = (amount: number | null) => (amount === null ? null : Math.floor(amount / (served.length + 1)));
  const tokens = tokenParts(left.tokens, served);
  return wishes.map((_, index) => {
    const granted = tokens[index];
    if (granted === undefined) return null;
    return { tokens: granted, nanoUsd: part(left.nanoUsd), steps: part(left.steps), toolCalls: part(left.toolCalls) };
  });
}

/** For how many an equal part is enough to do anything at all. A part without tool calls can still answer. */
function roomFor({ tokens, nanoUsd, steps }: Left, wanted: number): number {
  const most = [[tokens, LEAST_SHARE_TOKENS], [nanoUsd, 1], [steps, 1]] as const;
  const parts = most.map(([amount, least]) => (amount === null ? Infinity : Math.floor(amount / least)));
  return Math.max(0, Math.min(wanted, ...parts.map((many) => many - 1)));
}

/** Whoever asks for less than an equal part leaves the rest to the others. */
function tokenParts(tokens: number | null, wishes: readonly (number | null)[]): readonly (number | null)[] {
  if (tokens === null) return wishes;
  const parts = new Map<number, number>();
  let rest = tokens;
  const modestFirst = wishes.map((wish, index) => [wish ?? Infinity, index] as const).toSorted(([one], [other]) => one - other);
  for (const [wish, index] of modestFirst) {
    const part = Math.min(wish, Math.floor(rest / (wishes.length + 1 - parts.size)));
    parts.set(index, part);
    rest -= part;
  }
  return wishes.map((_, index) => parts.get(index) ?? 0);
}
