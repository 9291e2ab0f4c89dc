import type { Limits } from '../../machines/settings.ts';

export const REFUSED_BY_BUDGET = 'refused: budget';

/** Calls that a detector refuses, by their ids, each with what the model is told. */
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
 * The first calls of an answer that nobody blocks, as many as remain, in the order the model asked; the rest is refused,
 * so that nothing overshoots. A blocked call costs nothing of the budget.
 */
export function admit<Call extends { readonly callId: string }>(
  calls: readonly Call[],
  remaining: number | null,
  blocked: Blocked = new Map(),
): Admitted<Call> {
  const run: Call[] = [];
  const refused: { callId: string; reason: string }[] = [];
  for (const call of calls) {
    const { callId } = call;
    const reason = blocked.get(callId);
    if (reason !== undefined) refused.push({ callId, reason: `refused: ${reason}` });
    else if (remaining !== null && run.length >= remaining) refused.push({ callId, reason: REFUSED_BY_BUDGET });
    else run.push(call);
  }
  return { run, refused };
}
