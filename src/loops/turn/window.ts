import type { Fact } from '../../kernel/effect-handlers.ts';

/** What a turn has learned about the window of its model. Plain data, folded from the facts. */
export interface Window {
  /** Tokens that are known not to fit, less a part: estimates are wrong by that much. Null: nothing was refused. */
  readonly tokens: number | null;
  /** How often the conversation was full since the last answer. */
  readonly fillings: number;
}

export const UNKNOWN_WINDOW: Window = { tokens: null, fillings: 0 };

/** How much of a request that was refused is taken for the window. */
const LEARNED_PART = 0.75;

/** Full, summarised, full, summarised more briefly, and full again: what fills the window is not the conversation. */
export const MAX_FILLINGS = 4;

export function learn(before: Window, { type, payload }: Fact): Window {
  switch (type) {
    case 'context.filled':
      return {
        tokens: payload.refusedTokens === undefined ? before.tokens : smaller(before, payload.refusedTokens),
        fillings: before.fillings + 1,
      };
    case 'model.completed': {
      const { inputTokens, outputTokens } = payload.usage;
      const isFull = payload.cut === 'context' && inputTokens > 0;
      return { tokens: isFull ? smaller(before, inputTokens + outputTokens) : before.tokens, fillings: 0 };
    }
    case 'model.replaced':
      return { ...before, tokens: null };
    // A person may have chosen another task or model since.
    case 'run.continued':
      return UNKNOWN_WINDOW;
    default:
      return before;
  }
}

const smaller = ({ tokens }: Window, refused: number): number =>
  Math.min(tokens ?? Infinity, Math.floor(refused * LEARNED_PART));
