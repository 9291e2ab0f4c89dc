import type { ToolCall } from '../../machines/events.ts';

/**
 * A part of the work of a run, for programs that show it. `said`: a whole answer of a model. `called` and `returned`:
 * a call, and its end. `beside`: what a model is asked for from here on is no part of the work, such as a summary.
 *
 * @example
 * const parts = loop.describe.work?.(fact) ?? [];
 * for (const part of parts) if (part.kind === 'said') show(part.text);
 */
export type WorkPart =
  | { readonly kind: 'said'; readonly text: string }
  | { readonly kind: 'called'; readonly call: ToolCall }
  | { readonly kind: 'returned'; readonly callId: string; readonly isFailed: boolean; readonly text: string }
  | { readonly kind: 'beside' };
