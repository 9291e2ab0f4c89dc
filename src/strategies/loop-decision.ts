import { z } from 'zod';
import type { Fault } from '../../machines/outcome.ts';
import { json } from '../text/json-value.ts';

const text = z.string().refine((value) => value.isWellFormed(), 'contains half of a character');

/** Why a strategy stops the loop: recorded as the finding of the `doom_loop`. */
export const StrategyFinding = z.strictObject({
  /** A name of the problem, such as `no-progress`. */
  detector: text.min(1).max(100),
  message: text,
  /** The iterations that show it, 0-based. Their events are the evidence. */
  iterations: z.array(z.int().nonnegative()).max(1_000),
});
export type StrategyFinding = z.infer<typeof StrategyFinding>;

/** The strategy's own limit: a number of iterations or of milliseconds. */
const StrategyLimit = z.strictObject({ name: z.enum(['iterations', 'time_ms']), limit: z.int().nonnegative() });

/**
 * What a strategy decides. `action` selects the ending; without one the ending of a stop is derived from the facts. A
 * null member counts as absent.
 */
export const LoopDecision = z
  .strictObject({
    continue: z.boolean(),
    /** Always recorded, never interpreted. */
    reason: text,
    /** Goes into the next iteration's prompt. */
    feedback: text.nullish(),
    /** Recorded, and returned in the summary of this iteration. */
    metadata: z.record(z.string(), json('is not a JSON value')).nullish(),
    action: z.enum(['continue', 'complete', 'timeout', 'fail']).nullish(),
    /** With `timeout`, where none of the run's own caps is reached. Absent: the time that the run has worked. */
    limit: StrategyLimit.nullish(),
    /** With `complete`: the best iteration so far is accepted although checks fail. The user must have agreed to it. */
    partial: z.boolean().nullish(),
    /** With `fail`, or with a stop that names no action. */
    finding: StrategyFinding.nullish(),
  })
  .refine((decision) => decision.action == null || (decision.action === 'continue') === decision.continue, {
    path: ['action'],
    error: ({ input }) => `contradicts "continue": ${(input as { continue: boolean }).continue}`,
  })
  .refine(({ limit, action }) => !limit || action === 'timeout', {
    path: ['limit'],
    error: 'goes with the action "timeout" only',
  })
  .refine(({ partial, action }) => !partial || action === 'complete', {
    path: ['partial'],
    error: 'goes with the action "complete" only',
  })
  .refine(({ finding, action, ...said }) => !finding || (!said.continue && (action == null || action === 'fail')), {
    path: ['finding'],
    error: 'goes with the action "fail" only, or with a stop that names none',
  });
export type LoopDecision = z.infer<typeof LoopDecision>;

/** The stop of a strategy that has used all of its own iterations. */
export const outOf = (iterations: number) =>
  ({
    continue: false,
    action: 'timeout',
    limit: { name: 'iterations', limit: iterations },
  }) as const satisfies Partial<LoopDecision>;

export type ParsedDecision =
  | { readonly kind: 'decision'; readonly decision: LoopDecision }
  | { readonly kind: 'invalid'; readonly fault: Fault };

/**
 * Checks the answer of a strategy, which may be a user's code. The fault names the strategy, the iteration and each
 * invalid member.
 */
export function parseDecision(
  answer: unknown,
  asked: { readonly strategy: string; readonly iteration: number },
): ParsedDecision {
  const parsed = LoopDecision.safeParse(answer);
  if (parsed.success) return { kind: 'decision', decision: parsed.data };
  const wrong = parsed.error.issues.map(({ path, message }) => [...path, message].join(': ')).join('; ');
  const message = `Strategy ${asked.strategy} gave no valid decision on iteration ${asked.iteration + 1}: ${wrong}`;
  return { kind: 'invalid', fault: { code: 'invalid_decision', message } };
}
