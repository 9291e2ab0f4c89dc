import type { EventOf, Price, Usage } from '../../../machines/events.ts';
import type { ModelParameters } from '../../../machines/model-parameters.ts';
import type { PromptImage } from '../../../machines/prompt-image.ts';
import type { Json } from '../../log/envelope.ts';
import type { ToolSpec } from '../tool-spec.ts';

/** One entry of the conversation, oldest first. */
export type Message =
  | { readonly role: 'user'; readonly text: string; readonly images?: readonly PromptImage[] | undefined }
  | {
      readonly role: 'assistant';
      readonly text: string;
      readonly calls: readonly MessageCall[];
      /** Who said it, and what only its provider understands: worth nothing to another model. */
      readonly model?: string;
      readonly continuity?: Json;
    }
  | {
      readonly role: 'tool';
      readonly callId: string;
      readonly tool: string;
      readonly output: string;
      readonly failed: boolean;
    };

export interface MessageCall {
  readonly callId: string;
  readonly providerId: string | null;
  readonly tool: string;
  readonly arguments: Json;
}

export interface ModelRequest {
  readonly system: string | null;
  readonly messages: readonly Message[];
  /** Empty where the step may only answer in text. */
  readonly tools: readonly ToolSpec[];
  /** The answer is cut here, reasoning included. Absent where nothing is limited. */
  readonly maxOutputTokens?: number;
  /** How it is asked beside that. The longest answer is in `maxOutputTokens`. */
  readonly parameters?: Omit<ModelParameters, 'maxAnswerTokens'>;
  readonly run: string;
  /** 0-based. */
  readonly step: number;
  /** 0-based; 0 for a turn of its own. */
  readonly iteration: number;
}

/** Why an answer is not finished work, as its provider says. That it did nothing is read from the answer itself. */
export type Cut = Exclude<NonNullable<EventOf<'model.completed'>['payload']['cut']>, 'empty' | 'promised'>;

/** What a model asks for: arguments are whatever it sent, valid or not. */
export interface RequestedCall {
  readonly id?: string;
  readonly tool: string;
  readonly arguments: Json;
}

/** Usage as far as a model knows it. */
export interface ReportedUsage extends Omit<Usage, 'inputTokens' | 'outputTokens'> {
  readonly inputTokens?: number | undefined;
  readonly outputTokens?: number | undefined;
}

export interface ModelAnswer {
  readonly text: string;
  readonly calls?: readonly RequestedCall[];
  /** The tokens that it counted. What it leaves out, or has as 0, is estimated from the lengths. */
  readonly usage?: ReportedUsage | undefined;
  /** Who answered, to be recorded with the answer: a model without `continuity` need not say. */
  readonly model?: string;
  /** It is no finished answer: too long, held back by a filter, refused by the model, or out of room in its window. */
  readonly cut?: Cut | null | undefined;
  /** Its provider says that it ended for calls. Without any, it did nothing. */
  readonly endsInCalls?: boolean | undefined;
  /** Its provider did not say why it ended, so a text may have been cut. */
  readonly isEndUnsaid?: boolean | undefined;
  /** What it was asked for and does not take, each in a sentence: such as a temperature. */
  readonly ignored?: readonly string[] | undefined;
  /** Given back with this answer in later requests, to this model alone. */
  readonly continuity?: Json;
}

export interface ModelCall {
  readonly signal: AbortSignal;
  readonly delta: (text: string) => void;
}

/** Answers one request. May throw: a `ModelError` says what the run should know, anything else is reported as it is. */
export interface Model {
  readonly name: string;
  readonly answer: (request: ModelRequest, call: ModelCall) => Promise<ModelAnswer>;
  /**
   * The price of a million tokens at this usage; null if unknown. Without this method, no cost is counted.
   */
  readonly price?: ((usage: Usage) => Promise<Price | null>) | undefined;
  /** The size of its window in tokens; null if unknown. Without this method, it is taken for 32,000. */
  readonly contextTokens?: (() => Promise<number | null>) | undefined;
}

/**
 * What helps against a failure: to ask again soon (`retry`), to wait because the provider asked for it (`wait`), or
 * nothing that a program could do. `afterMs` is what the provider asked for; null where it did not say.
 */
export type Remedy = { readonly kind: 'retry' | 'wait'; readonly afterMs: number | null } | null;

/**
 * A failure a run should know: `authentication` and `provider_unavailable` are codes with an exit status of their own.
 */
export class ModelError extends Error {
  override readonly name = 'ModelError';
  readonly code: string;
  readonly usage: Usage;
  readonly remedy: Remedy;

  constructor(
    code: string,
    message: string,
    usage: Usage = { inputTokens: 0, outputTokens: 0 },
    remedy: Remedy = null,
  ) {
    super(message);
    this.code = code;
    this.usage = usage;
    this.remedy = remedy;
  }
}
