import { inspect } from 'node:util';
import { type EventOf, Usage } from '../../../machines/events.ts';
import type { Actor, EffectCall } from '../actor.ts';
import { attempt } from '../attempt.ts';
import { completed, MAX_ANSWER_CHARACTERS, NO_USAGE } from './answer.ts';
import { type Model, ModelError, type ModelRequest } from './model.ts';

export interface ModelInput {
  readonly request: ModelRequest;
  /** Tries for this very answer that are on record: a crash forgets none of them. */
  readonly tries: Tries;
}

export interface Tries {
  /** Failed, and asked again. */
  readonly retried: number;
  /** The provider asked for patience. */
  readonly limited: number;
}

/** What a model has not answered within this time, it is not asked any longer. */
export const MODEL_TIMEOUT_MS = 600_000;
/** A model that was told to stop may say within this time what it has used. */
const LAST_WORDS_MS = 250;
const MAX_MESSAGE_CHARACTERS = 2_000;

export interface ModelActorOptions {
  readonly timeoutMs?: number;
  /** Who takes over where retries did not cure the first. */
  readonly fallback?: Model | null;
}

type Answered = EventOf<'model.completed' | 'model.failed'>;

/**
 * Asks the model once: `model.completed`, `model.failed`, or, told to stop, `model.interrupted` with the text that had
 * arrived by then. One that takes too long is told to stop as well, and has failed (`model_timed_out`).
 * Calls that nobody offered come with a `warning.raised` (`calls_ignored`).
 *
 * @example
 * const actor = modelActor(scriptedModel({ answers: [{ text: 'Done.' }] }));
 * for await (const event of actor.perform({ request }, call)) accept(event);
 */
export function modelActor(model: Model, { timeoutMs = MODEL_TIMEOUT_MS }: ModelActorOptions = {}): Actor<ModelInput> {
  return {
    effectClass: () => 'repeatable',
    async *perform({ request }, call) {
      const result = await ask(model, request, call, timeoutMs);
      if (result.type === 'model.completed' && request.tools.length === 0 && result.payload.calls.length > 0) {
        yield uncalledFor(result.payload.calls.length);
      }
      yield result;
    },
  };
}

async function ask(
  model: Model,
  request: ModelRequest,
  { signal, delta }: EffectCall,
  timeoutMs: number,
): Promise<Answered | EventOf<'model.interrupted'>> {
  if (signal.aborted) return interrupted(signal, '', NO_USAGE);
  let heard = '';
  const answering = (told: AbortSignal) => {
    const hear = (text: string) => {
      if (signal.aborted || told.aborted) return;
      if (heard.length < MAX_ANSWER_CHARACTERS) heard = (heard + text).slice(0, MAX_ANSWER_CHARACTERS);
      delta({ kind: 'text', text });
    };
    return answerOf(model, request, { signal: told, delta: hear });
  };
  const { cut, settled } = await attempt(answering, { timeoutMs, graceMs: LAST_WORDS_MS, signal });
  if (settled.kind === 'threw') throw settled.error;
  const answer = settled.kind === 'returned' ? settled.value : null;
  if (cut === null && answer) return answer;
  const usage = answer?.payload.usage ?? NO_USAGE;
  return cut === 'timed_out' ? timedOut(timeoutMs, usage) : interrupted(signal, heard, usage);
}

function interrupted({ reason }: AbortSignal, heard: string, usage: Usage): EventOf<'model.interrupted'> {
  return { type: 'model.interrupted', payload: { reason: String(reason), text: heard.toWellFormed(), usage } };
}

function timedOut(timeoutMs: number, usage: Usage): EventOf<'model.failed'> {
  const message = `The model did not answer within ${timeoutMs} ms.`;
  return { type: 'model.failed', payload: { fault: { code: 'model_timed_out', message }, usage } };
}

/** Never rejects, whatever the model does. */
async function answerOf(model: Model, request: ModelRequest, call: Parameters<Model['answer']>[1]): Promise<Answered> {
  try {
    return completed(await model.answer(request, call), request.step);
  } catch (error) {
    return failed(error);
  }
}

function failed(error: unknown): EventOf<'model.failed'> {
  const { code, usage } = error instanceof ModelError ? error : { code: 'model_error', usage: NO_USAGE };
  const said = error instanceof Error ? error.message : inspect(error);
  const message = said.slice(0, MAX_MESSAGE_CHARACTERS).toWellFormed();
  const counted = Usage.safeParse(usage).data ?? NO_USAGE;
  return { type: 'model.failed', payload: { fault: { code, message }, usage: counted } };
}

function uncalledFor(calls: number): EventOf<'warning.raised'> {
  const message = `The model was offered no tools, but asked for ${calls} ${calls === 1 ? 'call' : 'calls'}.`;
  return { type: 'warning.raised', payload: { code: 'calls_ignored', message } };
}
