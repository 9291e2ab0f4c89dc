import { setTimeout as wait } from 'node:timers/promises';
import { inspect } from 'node:util';
import { type EventOf, Usage } from '../../../machines/events.ts';
import type { Actor, EffectCall } from '../actor.ts';
import { completed, MAX_ANSWER_CHARACTERS, NO_USAGE } from './answer.ts';
import { type Model, ModelError, type ModelRequest } from './model.ts';

export interface ModelInput {
  readonly request: ModelRequest;
}

/** A model that was told to stop may say within this time what it has used. */
const LAST_WORDS_MS = 250;
const MAX_MESSAGE_CHARACTERS = 2_000;

type Answered = EventOf<'model.completed' | 'model.failed'>;

/**
 * Asks the model once: `model.completed`, `model.failed`, or, told to stop, `model.interrupted` with the text that had
 * arrived by then. Calls that nobody offered come with a `warning.raised` (`calls_ignored`).
 *
 * @example
 * const actor = modelActor(scriptedModel({ answers: [{ text: 'Done.' }] }));
 * for await (const event of actor.perform({ request }, call)) accept(event);
 */
export function modelActor(model: Model): Actor<ModelInput> {
  return {
    effectClass: () => 'repeatable',
    async *perform({ request }, call) {
      const result = await ask(model, request, call);
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
): Promise<Answered | EventOf<'model.interrupted'>> {
  let heard = '';
  let usage = NO_USAGE;
  const hear = (text: string) => {
    if (signal.aborted) return;
    if (heard.length < MAX_ANSWER_CHARACTERS) heard = (heard + text).slice(0, MAX_ANSWER_CHARACTERS);
    delta({ kind: 'text', text });
  };
  if (!signal.aborted) {
    const stop = told(signal);
    const answer = answerOf(model, request, { signal, delta: hear });
    const first = await Promise.race([answer, stop]);
    if (first) return first;
    const last = await Promise.race([answer, wait(LAST_WORDS_MS)]);
    if (last) usage = last.payload.usage;
  }
  return {
    type: 'model.interrupted',
    payload: { reason: String(signal.reason), text: heard.toWellFormed(), usage },
  };
}

const told = (signal: AbortSignal) =>
  new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));

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
