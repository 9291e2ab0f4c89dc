import { inspect } from 'node:util';
import { type EventOf, Usage } from '../../../machines/events.ts';
import type { Listener } from '../../detectors/chant.ts';
import { environmentFault } from '../../log/environment-fault.ts';
import type { EffectCall } from '../actor.ts';
import { attempt } from '../attempt.ts';
import { believedUsage, possibleUsage, estimate } from './token-estimate.ts';
import { withCallsInText } from './calls-in-text.ts';
import { idleness } from './idle-answer.ts';
import { completed, MAX_ANSWER_CHARACTERS, NO_USAGE } from './model-answer.ts';
import { type Model, type ModelCall, ModelError, type ModelRequest } from './model.ts';

/** What one request to a model came to. */
export type Asked =
  | {
      readonly kind: 'completed';
      readonly event: EventOf<'model.completed'>;
      readonly isEndUnsaid: boolean;
      /** What the model was asked for and does not take. */
      readonly ignored: readonly string[];
    }
  | { readonly kind: 'failed'; readonly error: ModelError; readonly isCounted: boolean }
  /** Not counted: nobody has said what it used, and it may have used something. */
  | { readonly kind: 'interrupted'; readonly event: EventOf<'model.interrupted'>; readonly isCounted: boolean };

/** A model that was told to stop may say within this time what it has used. */
const LAST_WORDS_MS = 250;
const MAX_MESSAGE_CHARACTERS = 2_000;

const CHANT = 'it said the same over and over';

/**
 * Asks a model once. When it is told to stop, or its listener ends the answer, it is interrupted with the text received
 * so far; one that takes too long fails.
 */
export async function ask(
  model: Model,
  request: ModelRequest,
  { signal, delta }: EffectCall,
  timeoutMs: number,
  listener: Listener | null = null,
): Promise<Asked> {
  if (signal.aborted) return interrupted(signal, '', NO_USAGE);
  const chant = new AbortController();
  let received = '';
  const answering = (told: AbortSignal) => {
    const hear = (text: string) => {
      if (signal.aborted || told.aborted || chant.signal.aborted) return;
      if (received.length < MAX_ANSWER_CHARACTERS) received = (received + text).slice(0, MAX_ANSWER_CHARACTERS);
      delta({ kind: 'text', text });
      if (listener?.add(text)) chant.abort(CHANT);
    };
    return answerOf(model, request, { signal: told, delta: hear });
  };
  const stop = listener ? AbortSignal.any([signal, chant.signal]) : signal;
  const { cut, settled } = await attempt(answering, { timeoutMs, graceMs: LAST_WORDS_MS, signal: stop });
  if (settled.kind === 'threw') throw settled.error;
  const answer = settled.kind === 'returned' ? settled.value : null;
  if (cut === null && answer) return answer;
  const usage = answer ? usageIn(answer) : NO_USAGE;
  const isCounted = answer !== null && (answer.kind === 'completed' || answer.isCounted);
  if (cut === 'timed_out') return { kind: 'failed', error: timedOut(timeoutMs, usage), isCounted };
  return {
    ...(signal.aborted ? interrupted(signal, received, usage) : cutOff(chant.signal, received, usage)),
    isCounted,
  };
}

function cutOff(signal: AbortSignal, received: string, usage: Usage): Asked & { kind: 'interrupted' } {
  const { event, isCounted } = interrupted(signal, received, usage);
  return { kind: 'interrupted', event: { ...event, payload: { ...event.payload, cause: 'chant' } }, isCounted };
}

export function interrupted({ reason }: AbortSignal, received: string, usage: Usage): Asked & { kind: 'interrupted' } {
  const payload = { reason: String(reason), text: received.toWellFormed(), usage };
  return { kind: 'interrupted', event: { type: 'model.interrupted', payload }, isCounted: true };
}

const usageIn = (asked: Asked) => (asked.kind === 'failed' ? asked.error.usage : asked.event.payload.usage);

const timedOut = (timeoutMs: number, usage: Usage) =>
  new ModelError('model_timed_out', `The model did not answer within ${timeoutMs} ms.`, usage);

/** Rejects with an `EnvironmentFault` alone, whatever the model does. */
async function answerOf(model: Model, request: ModelRequest, call: ModelCall): Promise<Asked> {
  try {
    const answer = await model.answer(request, call);
    const taken = withCallsInText(answer, request, model.name);
    const { type, payload } = completed(taken ?? answer, request.step);
    const usage = believedUsage(payload.usage, request, payload);
    const cut = payload.cut ?? idleness(payload, request, answer.endsInCalls === true);
    const read = { ...(taken ? { callsFrom: 'text' as const } : {}), ...(cut ? { cut } : {}) };
    return {
      kind: 'completed',
      event: { type, payload: { ...payload, usage, ...read } },
      isEndUnsaid: answer.isEndUnsaid === true,
      ignored: answer.ignored ?? [],
    };
  } catch (error) {
    const fault = environmentFault(error);
    if (fault) throw fault;
    return { kind: 'failed', error: toldAs(error, request), isCounted: isCountedIn(error) };
  }
}

/** A `ModelError` carries what was used, except for an unreadable answer: its usage is unknown. */
const isCountedIn = (error: unknown): boolean =>
  error instanceof ModelError &&
  (error.code !== 'bad_answer' || error.usage.inputTokens + error.usage.outputTokens > 0);

function toldAs(error: unknown, request: ModelRequest): ModelError {
  const { code, usage, remedy } =
    error instanceof ModelError ? error : { code: 'model_error', usage: NO_USAGE, remedy: null };
  const said = error instanceof Error ? error.message : inspect(error);
  const message = said.slice(0, MAX_MESSAGE_CHARACTERS).toWellFormed();
  const told = Usage.safeParse(usage).data ?? NO_USAGE;
  return new ModelError(code, message, possibleUsage(told, estimate(request, '', [])), remedy);
}
