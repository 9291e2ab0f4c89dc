import type { Usage } from '../../../machines/events.ts';
import { estimatedTokens, charactersOf, charactersOfCall, CHARACTERS_PER_TOKEN } from '../../budget/message-length.ts';
import type { ToolSpec } from '../tool-spec.ts';
import type { Message, ModelRequest, RequestedCall } from './model.ts';

/**
 * The tokens that a provider may have counted and not shown: prompts and searches of its own, and what was thought. As
 * many as the largest usual windows have.
 */
export const MAX_UNSEEN_TOKENS = 1_000_000;

interface Said {
  readonly text: string;
  readonly calls: readonly RequestedCall[];
}

/**
 * The usage of an answer that came. A count that is absent or 0 is estimated, because every request has been read, and
 * every text has been written: without that, a model that reports nothing would have no limit. One that is impossible
 * is bounded, so that a fault of a server ends no run and costs no fortune.
 */
export function believedUsage(told: Usage, request: ModelRequest, { text, calls }: Said): Usage {
  if (isPossibleForAny(told)) return told;
  const guess = estimate(request, text, calls);
  const possible = possibleUsage(told, guess);
  if (possible.inputTokens > 0 && possible.outputTokens > 0) return possible;
  const inputTokens = possible.inputTokens || guess.inputTokens;
  const outputTokens = possible.outputTokens || guess.outputTokens;
  if (inputTokens === possible.inputTokens && outputTokens === possible.outputTokens) return possible;
  return { ...possible, inputTokens, outputTokens, estimated: true };
}

/**
 * The same usage, where it may be. A count that is larger than what was sent or received, by more than a provider keeps
 * to itself, becomes a token for each character of that, the most it can have been. `guess` is by the length.
 */
export function possibleUsage(told: Usage, guess: Usage): Usage {
  const { inputTokens, outputTokens, cachedInputTokens = 0, cacheWriteTokens = 0, reasoningTokens = 0 } = told;
  const isInputPossible = isPossible(Math.max(inputTokens, cachedInputTokens, cacheWriteTokens), guess.inputTokens);
  const isOutputPossible = isPossible(Math.max(outputTokens, reasoningTokens), guess.outputTokens);
  if (isInputPossible && isOutputPossible) return told;
  return {
    inputTokens: isInputPossible ? inputTokens : Math.min(inputTokens, most(guess.inputTokens)),
    outputTokens: isOutputPossible ? outputTokens : Math.min(outputTokens, most(guess.outputTokens)),
    ...(isInputPossible && cachedInputTokens > 0 ? { cachedInputTokens } : {}),
    ...(isInputPossible && cacheWriteTokens > 0 ? { cacheWriteTokens } : {}),
    ...(isOutputPossible && reasoningTokens > 0 ? { reasoningTokens } : {}),
    estimated: true,
  };
}

/** Nothing is missing, and nothing is so much that it depends on the request: that need not be measured. */
function isPossibleForAny({ inputTokens, outputTokens, ...parts }: Usage): boolean {
  const most = Math.max(inputTokens, outputTokens, ...Object.values(parts).filter((part) => typeof part === 'number'));
  return inputTokens > 0 && outputTokens > 0 && most <= MAX_UNSEEN_TOKENS;
}

const most = (guess: number) => guess * CHARACTERS_PER_TOKEN;
const isPossible = (told: number, guess: number) => told <= most(guess) + MAX_UNSEEN_TOKENS;

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
