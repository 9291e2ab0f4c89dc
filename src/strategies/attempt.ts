import type { EventOf } from '../../machines/events.ts';
import type { Outcome } from '../../machines/outcome.ts';

/** How one attempt of an agent went, whatever the agent is. What it does not know is null. */
export interface AgentResult {
  readonly success: boolean;
  readonly exitCode: number | null;
  /** How its own run ended. */
  readonly outcome: Outcome | null;
  readonly tokensUsed: { readonly input: number; readonly output: number; readonly total: number } | null;
}

/** An attempt that was a run of its own. */
export function attemptOf({ outcome, spend }: EventOf<'child.settled'>['payload']): AgentResult {
  const { inputTokens: input, outputTokens: output } = spend;
  return {
    success: outcome.ending === 'success',
    exitCode: null,
    outcome,
    tokensUsed: { input, output, total: input + output },
  };
}
