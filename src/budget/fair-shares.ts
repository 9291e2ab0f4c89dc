import type { Share } from '../../machines/events.ts';
import type { Life } from '../../machines/life.ts';
import { leftFor, MIN_ANSWER_TOKENS } from './allowance.ts';

type Left = { readonly [unit in 'tokens' | 'nanoUsd' | 'steps' | 'toolCalls']: number | null };

/** How deep delegations may nest: a run at this depth does its work itself. */
export const MAX_HANDOFF_LEVELS = 5;

/** What is left of a run's limits, without its reservations. `calls` are about to be made. */
export function leftIn(life: Pick<Life, 'limits' | 'spend' | 'reserved'>, calls = 0): Left {
  const { limits, spend } = life;
  const left = (cap: number | null, used: number) => (cap === null ? null : Math.max(0, cap - used));
  return {
    ...leftFor(life),
    steps: left(limits.maxSteps, spend.steps),
    toolCalls: left(limits.maxToolCalls, spend.toolCalls + calls),
  };
}

/**
 * A share for each delegation of an answer, smaller where less was asked for. One more equal part is kept for the
 * delegator, which has to use the results. Together the shares are never more than what is left. Null: nothing is left
 * for that delegation. They are served in the order of the calls.
 *
 * @example
 * fairShares(leftIn(life), [null, 2_000]);
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

/** For how many delegations an equal part is enough to do anything. A part without tool calls can still answer. */
function roomFor({ tokens, nanoUsd, steps }: Left, wanted: number): number {
  const most = [
    [tokens, MIN_ANSWER_TOKENS],
    [nanoUsd, 1],
    [steps, 1],
  ] as const;
  const parts = most.map(([amount, least]) => (amount === null ? Infinity : Math.floor(amount / least)));
  return Math.max(0, Math.min(wanted, ...parts.map((many) => many - 1)));
}

/** A delegation that asks for less than an equal part leaves the rest to the others. */
function tokenParts(tokens: number | null, wishes: readonly (number | null)[]): readonly (number | null)[] {
  if (tokens === null) return wishes;
  const parts = new Map<number, number>();
  let rest = tokens;
  const modestFirst = wishes
    .map((wish, index) => [wish ?? Infinity, index] as const)
    .toSorted(([one], [other]) => one - other);
  for (const [wish, index] of modestFirst) {
    const part = Math.min(wish, Math.floor(rest / (wishes.length + 1 - parts.size)));
    parts.set(index, part);
    rest -= part;
  }
  return wishes.map((_, index) => parts.get(index) ?? 0);
}
