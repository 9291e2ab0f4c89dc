import type { EventOf } from '../../machines/events.ts';
import type { Outcome } from '../../machines/outcome.ts';

/** The result of one attempt, for any kind of agent. Unknown members are null. */
export interface AgentResult {
  readonly success: boolean;
  readonly exitCode: number | null;
  /** The ending of the attempt's own run. */
  readonly outcome: Outcome | null;
  readonly tokensUsed: { readonly input: number; readonly output: number; readonly total: number } | null;
}

/** The result of an attempt that was a run of its own. */
export function attemptOf({ outcome, spend }: EventOf<'child.settled'>['payload']): AgentResult {
  const { inputTokens: input, outputTokens: output } = spend;
  return {
    success: outcome.ending === 'success',
    exitCode: null,
    outcome,
    tokensUsed: { input, output, total: input + output },
  };
}
