import { modelActor } from '../../../src/actors/model/model-actor.ts';
import type { Usage } from '../../../machines/events.ts';
import type { Model, ModelCall, ModelRequest } from '../../../src/actors/model/model.ts';
import { performed } from '../performed.ts';
import { requestOf } from './request.ts';

export type Answering = (request: ModelRequest, call: ModelCall) => unknown;

/** A model that may answer anything at all. */
export const modelThat = (answer: Answering): Model => ({ name: 'test', answer: answer as Model['answer'] });
export const asked = (answer: Answering, request = requestOf(), signal?: AbortSignal, timeoutMs?: number) =>
  performed(
    modelActor(modelThat(answer), timeoutMs === undefined ? {} : { timeoutMs }),
    { request, tries: { retried: 0, limited: 0 } },
    signal,
  );
export const eventsOf = async (...args: Parameters<typeof asked>) => (await asked(...args)).events;

export const NO_USAGE = { inputTokens: 0, outputTokens: 0 };
/** What a request of `requestOf()` has used by its length, and an answer of so many characters. */
export const guessed = (characters = 0) => ({
  inputTokens: 21,
  outputTokens: Math.ceil(characters / 4),
  estimated: true as const,
});
export const failedWith = (code: string, message: unknown, usage: Usage = NO_USAGE) => ({
  type: 'model.failed',
  payload: { fault: { code, message }, usage },
});
export const never = () => new Promise(() => {});
