import type { Limits } from '../../machines/settings.ts';

export const REFUSED_BY_BUDGET = 'refused: budget';

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
 * The first calls of an answer, as many as remain, in the order the model asked; the rest is refused, so that nothing
 * overshoots.
 */
export function admit<Call extends { readonly callId: string }>(
  calls: readonly Call[],
  remaining: number | null,
): Admitted<Call> {
  const room = remaining ?? calls.length;
  return {
    run: calls.slice(0, room),
    refused: calls.slice(room).map(({ callId }) => ({ callId, reason: REFUSED_BY_BUDGET })),
  };
}
