import type { ReachedLimit, Spend } from '../../machines/outcome.ts';
import type { Limits } from '../../machines/settings.ts';

/** What a run has used of each thing that can be limited. */
export interface Used {
  readonly steps: number;
  readonly iterations: number;
  /** Wall time, without the spans that do not count. */
  readonly timeMs: number;
  readonly toolCalls: number;
  readonly tokens: number;
}

/** Every limit that is used up, caps before budgets. A limit that is met exactly is reached. */
export function reached(limits: Limits, used: Used): ReachedLimit[] {
  const rows = [
    ['steps', used.steps, limits.maxSteps],
    ['iterations', used.iterations, limits.maxIterations],
    ['time_ms', used.timeMs, limits.maxTimeMs],
    ['tool_calls', used.toolCalls, limits.maxToolCalls],
    ['tokens', used.tokens, limits.maxTokens],
  ] as const;
  return rows.flatMap(([name, use, limit]) => (limit !== null && use >= limit ? [{ name, used: use, limit }] : []));
}

/** Input and output count alike. */
export const tokensOf = ({ inputTokens, outputTokens }: Pick<Spend, 'inputTokens' | 'outputTokens'>): number =>
  inputTokens + outputTokens;
