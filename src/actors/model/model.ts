import type { Json } from '../../log/envelope.ts';
import type { ToolSpec } from '../tool-spec.ts';

/** One entry of the conversation, oldest first. */
export type Message =
  | { readonly role: 'user'; readonly text: string }
  | { readonly role: 'assistant'; readonly text: string; readonly calls: readonly MessageCall[] }
  | { readonly role: 'tool'; readonly callId: string; readonly tool: string; readonly output: string; readonly failed: boolean };

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
  readonly run: string;
  /** 0-based. */
  readonly step: number;
  /** 0-based; 0 for a turn of its own. */
  readonly iteration: number;
}

/** What a model asks for: arguments are whatever it sent, valid or not. */
export interface RequestedCall {
  readonly id?: string;
  readonly tool: string;
  readonly arguments: Json;
}

export interface ModelAnswer {
  readonly text: string;
  readonly calls?: readonly RequestedCall[];
  readonly usage?: { readonly inputTokens: number; readonly outputTokens: number };
}

export interface ModelCall {
  readonly signal: AbortSignal;
  readonly delta: (text: string) => void;
}

/** Answers one request. May throw: a `ModelError` says what the run should know, anything else is reported as it is. */
export interface Model {
  readonly name: string;
  readonly answer: (request: ModelRequest, call: ModelCall) => Promise<ModelAnswer>;
}

export class ModelError extends Error {
  override readonly name = 'ModelError';
  readonly code: string;
  readonly usage: { readonly inputTokens: number; readonly outputTokens: number };

  constructor(code: string, message: string, usage = { inputTokens: 0, outputTokens: 0 }) {
    super(message);
    this.code = code;
    this.usage = usage;
  }
}
