import type { Usage } from '../../../machines/events.ts';
import type { ModelRequest, RequestedCall } from './model.ts';
import { estimate } from './token-estimate.ts';

interface Said {
  readonly text: string;
  readonly calls: readonly RequestedCall[];
}

/**
 * The usage of an answer that came. A count that is absent or 0 is estimated, because every request has been read, and
 * every text has been written: without that, a model that reports nothing would have no limit.
 */
export function believedUsage(told: Usage, request: ModelRequest, { text, calls }: Said): Usage {
  if (told.inputTokens > 0 && told.outputTokens > 0) return told;
  const guess = estimate(request, text, calls);
  const inputTokens = told.inputTokens || guess.inputTokens;
  const outputTokens = told.outputTokens || guess.outputTokens;
  if (inputTokens === told.inputTokens && outputTokens === told.outputTokens) return told;
  return { ...told, inputTokens, outputTokens, estimated: true };
}
