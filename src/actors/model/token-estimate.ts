import type { Usage } from '../../../machines/events.ts';
import { estimatedTokens } from '../../budget/estimated-tokens.ts';
import { charactersOf, charactersOfCall } from '../../budget/message-length.ts';
import type { ToolSpec } from '../tool-spec.ts';
import type { Message, ModelRequest, RequestedCall } from './model.ts';

/** Estimated usage of a request and its answer, when the provider counted none: four characters are a token. */
export function estimate(request: ModelRequest, text: string, calls: readonly RequestedCall[]): Usage {
  const asked = (request.system?.length ?? 0) + sum(request.messages, lengthOf) + descriptionLength(request.tools);
  return {
    inputTokens: estimatedTokens(asked),
    outputTokens: estimatedTokens(text.length + sum(calls, charactersOfCall)),
  };
}

/** Each step asks with all messages of the one before: count a message once. */
const lengths = new WeakMap<Message, number>();

function lengthOf(message: Message): number {
  const length = lengths.get(message) ?? charactersOf(message);
  lengths.set(message, length);
  return length;
}

/** The characters that the descriptions of tools have in a request, as JSON. */
export const descriptionLength = (tools: readonly ToolSpec[]): number => sum(tools, jsonLength);

const jsonLength = (value: unknown) => JSON.stringify(value).length;

function sum<Item>(items: readonly Item[], measure: (item: Item) => number): number {
  return items.reduce((total, item) => total + measure(item), 0);
}
