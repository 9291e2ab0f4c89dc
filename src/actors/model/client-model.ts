import type { Price, Usage } from '../../../machines/events.ts';
import { NO_ANSWER } from '../../../machines/outcome.ts';
import { MAX_ANSWER_TOKENS } from '../../budget/allowance.ts';
import { estimatedTokens } from '../../budget/message-length.ts';
import { possibleUsage, estimate } from './token-estimate.ts';
import type { ConnectedModel } from './connect.ts';
import { type Model, type ModelAnswer, type ModelCall, ModelError, type ModelRequest } from './model.ts';
import { NO_USAGE } from './model-answer.ts';
import { noAnswer, providerFailure, wasNeverAsked } from './provider-failure.ts';
import { ReceivedAnswer } from './answer-parts.ts';
import { shorterAfter, shorterThanRefused, withinWindow } from './shorter-answer.ts';
import { streamAnswer } from './stream-answer.ts';

export interface ModelTerms {
  /** What the model costs, by what was used: some prices rise with the length of what is asked. */
  readonly price?: (usage: Usage) => Promise<Price | null>;
  /** Milliseconds since 1970: a provider may say until when it wants to be left alone. */
  readonly now?: () => number;
  /** The size of its window in tokens; null if unknown. */
  readonly contextTokens?: () => Promise<number | null>;
}

/** A model over a client of the SDK: one request for one answer. */
export function clientModel(connected: ConnectedModel, terms: ModelTerms = {}): Model {
  const { price, now = Date.now, contextTokens } = terms;
  const { name, keyRemedy, isMarked } = connected;
  let longest = Infinity;
  /** What goes in, by estimate, and the answer: the smallest request that was too long for the window. */
  let refusedTokens = Infinity;
  const once = async (request: ModelRequest, call: ModelCall): Promise<ModelAnswer> => {
    const received = new ReceivedAnswer(isMarked);
    try {
      await streamAnswer(request, call, { received, connected });
    } catch (error) {
      const { hasBegun } = received;
      const usage = !hasBegun && wasNeverAsked(error) ? NO_USAGE : usedFor(request, received);
      if (call.signal.aborted) throw new ModelError('stopped', 'The model was told to stop.', usage);
      const hasImages = request.messages.some((message) => message.role === 'user' && message.images !== undefined);
      const failure = providerFailure(error, { name, keyRemedy, usage, now: now(), hasBegun, hasImages });
      // Azure has charged for what its filter has read.
      throw failure.code === NO_ANSWER.filtered ? withUsage(failure, usedFor(request, received)) : failure;
    }
    const usage = usedFor(request, received);
    if (call.signal.aborted) throw new ModelError('stopped', 'The model was told to stop.', usage);
    const answer = received.answer(usage, request.maxOutputTokens);
    const isNothing = received.isEndUnsaid && !received.isSaid && !answer.cut;
    if (!received.isComplete || received.brokenBy !== null || isNothing) throw noAnswer(connected, received, usage);
    return { ...answer, model: name };
  };
  const answer = async (request: ModelRequest, call: ModelCall): Promise<ModelAnswer> => {
    const { maxOutputTokens = defaultLength(connected) } = request;
    const { inputTokens } = estimate(request, '', []);
    let most = atMost(maxOutputTokens, longest);
    if (most !== undefined) {
      const window = (await contextTokens?.().catch(() => null)) ?? null;
      most = shorterThanRefused(withinWindow(most, inputTokens, window), inputTokens, refusedTokens);
    }
    for (;;) {
      try {
        return await once(most === undefined ? request : { ...request, maxOutputTokens: most }, call);
      } catch (error) {
        const shorter = shorterAfter(error, most);
        if (shorter === null) throw error;
        // Else it was too long beside what goes in, this time.
        if (error instanceof ModelError && error.code === 'bad_request') longest = shorter;
        else if (most !== undefined) refusedTokens = Math.min(refusedTokens, inputTokens + most);
        most = shorter;
      }
    }
  };
  return { name, answer, ...(price ? { price } : {}), ...(contextTokens ? { contextTokens } : {}) };
}

/** An answer of a model that no list knows would otherwise end after 4,096 tokens, in the middle of a file. */
const defaultLength = ({ wire }: ConnectedModel) => (wire === 'anthropic' ? MAX_ANSWER_TOKENS : undefined);

const withUsage = ({ code, message, remedy }: ModelError, usage: Usage) => new ModelError(code, message, usage, remedy);

const atMost = (wanted: number | undefined, longest: number) =>
  wanted === undefined ? undefined : Math.min(wanted, longest);

/**
 * The usage that the provider counted, or an estimate where it counted nothing. A broken stream may have reported only
 * a first count: the output is at least what was received.
 */
function usedFor(request: ModelRequest, received: ReceivedAnswer): Usage {
  const guess = estimate(request, received.text, received.calls);
  const atLeast = Math.max(guess.outputTokens, estimatedTokens(received.characters));
  const told = possibleUsage(received.usage ?? NO_USAGE, { ...guess, outputTokens: atLeast });
  const inputTokens = told.inputTokens || guess.inputTokens;
  const isWhole = received.isComplete && received.brokenBy === null && told.outputTokens > 0;
  const outputTokens = isWhole ? told.outputTokens : Math.max(told.outputTokens, atLeast);
  if (inputTokens === told.inputTokens && outputTokens === told.outputTokens) return told;
  return { ...told, inputTokens, outputTokens, estimated: true };
}
