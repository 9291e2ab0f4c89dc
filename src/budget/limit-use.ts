import type { ReachedLimit, Spend } from '../../machines/outcome.ts';
import type { Limits } from '../../machines/settings.ts';

/** The setting that holds each limit. */
export const LIMIT_OF = {
  steps: 'maxSteps',
  iterations: 'maxIterations',
  time_ms: 'maxTimeMs',
  tool_calls: 'maxToolCalls',
  tokens: 'maxTokens',
  cost_nano_usd: 'maxCostNanoUsd',
} as const satisfies { readonly [name in ReachedLimit['name']]: keyof Limits };

/** What a run has used of each limited thing. */
export interface Used {
  readonly steps: number;
  readonly iterations: number;
  /** Wall time, without the spans that do not count. */
  readonly timeMs: number;
  readonly toolCalls: number;
  readonly tokens: number;
  readonly nanoUsd: number;
  /** Set aside for the summary at the end of the run: nothing else may use it. Absent: nothing is. */
  readonly reserved?: { readonly tokens: number; readonly nanoUsd: number };
}

/**
 * Every limit that is used up: time first, then the other caps, then the budgets. A limit that is met exactly is
 * reached.
 *
 * Time comes first because a round counts from its beginning: else a deadline that cuts the last round short would be
 * reported as the end of the rounds.
 */
export const reached = (limits: Limits, used: Used): ReachedLimit[] =>
  limitRows(limits, used).flatMap(([name, use, limit, reserved = 0]) =>
    limit !== null && use + reserved >= limit ? [{ name, used: use, limit, ...setAside(reserved) }] : [],
  );

/** What is set aside of a limit, where something is. */
export const setAside = (reserved: number): Pick<ReachedLimit, 'reserved'> => (reserved > 0 ? { reserved } : {});

/** Each limit with what is used of it, in the order of reports. */
export const limitRows = (limits: Limits, used: Used) =>
  [
    ['time_ms', used.timeMs, limits.maxTimeMs],
    ['steps', used.steps, limits.maxSteps],
    ['iterations', used.iterations, limits.maxIterations],
    ['tool_calls', used.toolCalls, limits.maxToolCalls],
    ['tokens', used.tokens, limits.maxTokens, used.reserved?.tokens],
    ['cost_nano_usd', used.nanoUsd, limits.maxCostNanoUsd ?? null, used.reserved?.nanoUsd],
  ] as const;

/** The first limit that a run has used up already: to continue under it would end at once. */
export function usedUp(
  limits: Limits,
  { spend, iterations }: { readonly spend: Spend; readonly iterations: number },
): ReachedLimit | null {
  const used = {
    steps: spend.steps,
    iterations,
    timeMs: 0,
    toolCalls: 0,
    tokens: tokensOf(spend),
    nanoUsd: spend.costNanoUsd ?? 0,
  };
  return reached(limits, used).find(({ name, used: some }) => name !== 'tool_calls' && some > 0) ?? null;
}

/** Input and output count equally. */
export const tokensOf = ({ inputTokens, outputTokens }: Pick<Spend, 'inputTokens' | 'outputTokens'>): number =>
  inputTokens + outputTokens;
