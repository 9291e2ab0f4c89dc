import { z } from 'zod';
import type { Fault } from '../../machines/outcome.ts';
import { json } from '../config/json.ts';

const text = z.string().refine((value) => value.isWellFormed(), 'a character is cut in half');

/** What a strategy wants. `action` selects the ending; without one a stop is derived from the facts. */
export const LoopDecision = z
  .strictObject({
    continue: z.boolean(),
    /** Always recorded, never interpreted. */
    reason: text,
    /** Goes into the next iteration's prompt. */
    feedback: text.optional(),
    /** Recorded, and given back in this iteration's summary. */
    metadata: z.record(z.string(), json('is no JSON value')).optional(),
    action: z.enum(['continue', 'complete', 'timeout', 'fail']).optional(),
  })
  .refine((decision) => decision.action === undefined || (decision.action === 'continue') === decision.continue, {
    path: ['action'],
    error: ({ input }) => `contradicts "continue": ${(input as { continue: boolean }).continue}`,
  });
export type LoopDecision = z.infer<typeof LoopDecision>;

export type ParsedDecision =
  | { readonly kind: 'decision'; readonly decision: LoopDecision }
  | { readonly kind: 'invalid'; readonly fault: Fault };

/**
 * Checks what a strategy answered: it may be anybody's code. The fault names the strategy, the iteration and each
 * member.
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
