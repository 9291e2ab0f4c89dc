import type { Limits } from '../../machines/settings.ts';

export const REFUSED_BY_BUDGET = 'refused: budget';

/**
 * The reason the model gets for the calls of one answer beyond `most`. They cost nothing and may be asked for again.
 */
const refusedByNumber = (most: number): string =>
  `refused: at most ${most} calls of one answer run; ask for the rest again`;

/** Calls that a detector refuses, by id, each with the reason for the model. */
export type Blocked = ReadonlyMap<string, string>;

export interface Admitted<Call> {
  readonly run: readonly Call[];
  readonly refused: readonly { readonly callId: string; readonly reason: string }[];
}

/** Tool calls a run may still make; null is unlimited. */
export function remainingCalls(
  { maxToolCalls }: Pick<Limits, 'maxToolCalls'>,
  used: { readonly toolCalls: number },
): number | null {
  return maxToolCalls === null ? null : Math.max(0, maxToolCalls - used.toolCalls);
}

/**
 * The first calls of an answer that no detector blocks, in the order the model asked: as many as the budget has left,
 * and at most `most`. The others are refused, each with its reason. A refused call costs nothing of the budget.
 */
export function admit<Call extends { readonly callId: string }>(
  calls: readonly Call[],
  remaining: number | null,
  blocked: Blocked = new Map(),
  most = Infinity,
): Admitted<Call> {
  const run: Call[] = [];
  const refused: { callId: string; reason: string }[] = [];
  for (const call of calls) {
    const { callId } = call;
    const reason = blocked.get(callId);
    if (reason !== undefined) refused.push({ callId, reason: `refused: ${reason}` });
    else if (remaining !== null && run.length >= remaining) refused.push({ callId, reason: REFUSED_BY_BUDGET });
    else if (run.length >= most) refused.push({ callId, reason: refusedByNumber(most) });
    else run.push(call);
  }
  return { run, refused };
}
