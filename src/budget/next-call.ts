import type { LoopEvent, Usage } from '../../machines/events.ts';
import type { Price } from '../../machines/price.ts';
import type { RunSettings } from '../../machines/settings.ts';
import { systemText } from '../prompt/system-text.ts';
import { estimatedTokens, charactersOf, charactersOfImages } from './message-length.ts';

/**
 * The estimated input tokens of the next model call: the counted input and output of the last call, and the text since
 * then at four characters a token. Before the first count it is the task, its history and the descriptions of the
 * tools, where their length is recorded. Folded from events.
 */
export class NextCall {
  #counted = 0;
  #characters = 0;
  #task = 0;
  #isAttempt = true;
  #model = '';
  #fallback: string | null = null;
  #prices: { readonly [model: string]: Price } = {};
  #charged: Price | null = null;

  get inputTokens(): number {
    return this.#counted + estimatedTokens(this.#characters);
  }

  /** Whether a provider has counted the input at least once. */
  get isCounted(): boolean {
    return this.#counted > 0;
  }

  /** The highest price of its tokens, since either model may answer. Null where no price is known. */
  get price(): Price | null {
    return priceOfEither({ model: this.#model, fallbackModel: this.#fallback, prices: this.#prices }) ?? this.#charged;
  }

  observe(event: LoopEvent): void {
    this.#characters += charactersToSend(event);
    const { type, payload } = event;
    switch (type) {
      case 'run.started':
        this.#begin(payload.settings);
        break;
      case 'run.continued':
        this.#prices = { ...this.#prices, ...payload.prices };
        break;
      case 'model.completed':
        this.#answered(payload.usage, payload.text.length, payload.continuity !== undefined);
        break;
      case 'model.replaced':
        this.#model = payload.to;
        this.#fallback = null;
        break;
      case 'context.compacted':
        this.#counted = 0;
        this.#characters = this.#task + payload.summary.length + (payload.kept?.characters ?? 0);
        break;
      case 'decision.made':
        // Every attempt of a loop begins a new conversation, with this feedback in its prompt.
        if (this.#isAttempt) this.#characters += payload.feedback?.length ?? 0;
        break;
    }
  }

  #begin(settings: RunSettings): void {
    const { attemptLimits, prompt, images, history = [], model, fallbackModel = null, prices = {} } = settings;
    const { toolCharacters = 0, limits } = settings;
    this.#isAttempt = attemptLimits === null;
    const offered = limits.maxSteps === 0 ? 0 : toolCharacters;
    const told = systemText(settings)?.length ?? 0;
    this.#task = prompt.length + charactersOfImages(images) + told + offered;
    this.#characters = history.reduce((sum, message) => sum + charactersOf(message), this.#task);
    this.#model = model;
    this.#fallback = fallbackModel;
    this.#prices = prices;
  }

  #answered(
    { inputTokens, outputTokens, reasoningTokens = 0, cost }: Usage,
    characters: number,
    isKept: boolean,
  ): void {
    this.#charged = cost?.price ?? this.#charged;
    if (inputTokens === 0) {
      this.#characters += characters;
      return;
    }
    // Reasoning tokens are sent again only where the provider wants them back.
    this.#counted = inputTokens + Math.max(0, outputTokens - (isKept ? 0 : reasoningTokens));
    this.#characters = 0;
  }
}

/** The length of the text that an event adds to the conversation: results of calls, and what people say. */
function charactersToSend({ type, payload }: LoopEvent): number {
  switch (type) {
    case 'calls.admitted':
      return payload.refused.reduce((sum, { reason }) => sum + reason.length, 0);
    case 'tool.completed':
      return payload.output.length;
    case 'tool.failed':
      return payload.fault.message.length;
    case 'tool.interrupted':
      return payload.reason.length;
    case 'person.answered':
      return payload.answer.length;
    case 'child.settled':
      return payload.callId === undefined ? 0 : payload.answer.length;
    case 'run.steered':
      return payload.text.length;
    default:
      return 0;
  }
}

/** The highest price of a request that either model of a run may answer. Null: no price is known. */
export function priceOfEither({
  model,
  fallbackModel = null,
  prices = {},
}: Pick<RunSettings, 'model' | 'fallbackModel' | 'prices'>): Price | null {
  const [first, second = first] = [model, fallbackModel ?? ''].flatMap((name) => prices[name] ?? []);
  return first && second ? dearer(first, second) : null;
}

const dearer = (one: Price, other: Price): Price => ({
  inputPerMillion: Math.max(one.inputPerMillion, other.inputPerMillion),
  outputPerMillion: Math.max(one.outputPerMillion, other.outputPerMillion),
  cacheWritePerMillion: Math.max(one.cacheWritePerMillion ?? 0, other.cacheWritePerMillion ?? 0),
  source: one.source === other.source ? one.source : `${one.source}; ${other.source}`,
});
