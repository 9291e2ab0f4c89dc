import { setTimeout as wait } from 'node:timers/promises';
import type { EventOf, LoopEvent, Price, Usage } from '../../../machines/events.ts';
import { type Fault, MODEL_UNKNOWN, NO_ANSWER } from '../../../machines/outcome.ts';
import type { Listener } from '../../detectors/chant.ts';
import { BUDGET_EXHAUSTED } from '../../budget/allowance.ts';
import type { Actor, EffectCall } from '../actor.ts';
import { NO_USAGE } from './model-answer.ts';
import { believedUsage } from './token-estimate.ts';
import { type Asked, ask, interrupted } from './ask.ts';
import { LONGEST, withCost } from '../../budget/cost.ts';
import { expectedTokens, isFull, isSummarisable, type Room, withRemedy } from './full-window.ts';
import type { Cut, Model, ModelError, ModelRequest } from './model.ts';
import { nextAfter, type Tries } from './patience.ts';
import { OVER_RATE_LIMIT } from './rate-limit.ts';
import { type Allowance, Purse } from './purse.ts';

export type { Tries } from './patience.ts';

export interface ModelInput {
  readonly request: ModelRequest;
  /** Tries for this very answer that are on record. */
  readonly tries: Tries;
  /** What all tries for it may use together. Absent where neither tokens nor money are limited. */
  readonly allowance?: Allowance;
  /** What is known of the window. Absent: the conversation cannot be summarised, so it is asked with whatever it is. */
  readonly room?: Room;
  /** Receives an answer as it streams, and may end it, so that a repetition is cut short. A new one for each try. */
  readonly listener?: () => Listener;
}

/** What a model has not answered within this time, it is not asked any longer. */
export const MODEL_TIMEOUT_MS = 600_000;

export interface ModelActorOptions {
  readonly timeoutMs?: number;
  /** Who takes over where retries did not cure the first. */
  readonly fallback?: Model | null;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  /** Ends after so many milliseconds, or as soon as the signal aborts. Never rejects. */
  readonly sleep?: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  /** From 0 to 1. */
  readonly random?: () => number;
}

/** Failures that another model may not have: the request itself is valid. */
const CURED_BY_ANOTHER = new Set([
  'provider_unavailable',
  'authentication',
  'model_timed_out',
  OVER_RATE_LIMIT,
  MODEL_UNKNOWN,
]);
/** Failures that a summary of the conversation may cure. */
const TOO_LONG = new Set<string>([NO_ANSWER.full, OVER_RATE_LIMIT]);

/**
 * Asks the model until it has answered: `model.completed`, `model.failed`, or, told to stop, `model.interrupted` with
 * the text received so far. A failure that may pass is recorded as `model.retried`, and the request repeated after a
 * pause; a rate limit ends in `model.limited`, for a timer to wait. If that does not help, the fallback is asked, after
 * `model.replaced`. A conversation that does not fit the window, by its known size or as the provider says, ends in
 * `context.filled`, for a summary. A try that takes too long is stopped and fails (`model_timed_out`). A listener that
 * detects a repetition ends the answer in `model.interrupted` too, and the event has its cause. If the allowance has no
 * room for another try it fails (`budget_exhausted`); uncounted usage is charged to it as the most that it might have
 * been.
 * Warnings come as `warning.raised`: `calls_ignored`, `answer_cut`, `answer_empty`, `call_promised`, `end_unsaid`,
 * `parameters_ignored`, `price_unknown`.
 *
 * @example
 * const actor = modelActor(scriptedModel({ answers: [{ text: 'Done.' }] }));
 * for await (const event of actor.execute({ request, tries: { retried: 0, limited: 0 } }, call)) accept(event);
 */
export function modelActor(model: Model, options: ModelActorOptions = {}): Actor<ModelInput> {
  const { fallback = null } = options;
  return {
    effectClass: () => 'repeatable',
    async *execute(input, call) {
      const purse = input.allowance ? new Purse(input.allowance, input.request) : null;
      const { request, room = null } = input;
      const mayFill = room !== null && isSummarisable(request);
      if (mayFill && (await isFull(model, request, room))) {
        yield { type: 'context.filled', payload: { usage: NO_USAGE } };
        return;
      }
      const failure = yield* persist(model, input, purse, call, options);
      if (failure === null) return;
      if (mayFill && TOO_LONG.has(failure.fault.code)) {
        const refusedTokens = expectedTokens(request, room);
        yield { type: 'context.filled', payload: { usage: failure.usage, refusedTokens } };
        return;
      }
      if (fallback === null || !CURED_BY_ANOTHER.has(failure.fault.code)) {
        yield failed(failure);
        return;
      }
      const { fault, usage, attempt } = failure;
      // What the last try has used must not be lost, and `model.replaced` does not carry it.
      if (isUsed(usage)) yield { type: 'model.retried', payload: { attempt, fault, usage } };
      yield { type: 'model.replaced', payload: { from: model.name, to: fallback.name, fault } };
      const second = yield* persist(fallback, { ...input, tries: NO_TRIES }, purse, call, options);
      if (second) yield failed(second);
    },
  };
}

const failed = ({ fault, usage }: Failure): EventOf<'model.failed'> => ({
  type: 'model.failed',
  payload: { fault, usage },
});

const NO_TRIES: Tries = { retried: 0, limited: 0 };

interface Failure {
  readonly fault: Fault;
  readonly usage: Usage;
  /** Which try it was, from 1. */
  readonly attempt: number;
}

/** Asks one model until it has answered, or nothing more can be done about its failure. Null: the result is told. */
async function* persist(
  model: Model,
  { request: unbound, tries, listener }: ModelInput,
  purse: Purse | null,
  call: EffectCall,
  options: ModelActorOptions,
): AsyncGenerator<LoopEvent, Failure | null> {
  const { timeoutMs = MODEL_TIMEOUT_MS, now = Date.now, sleep = pause, random = Math.random } = options;
  let last: Fault | null = null;
  for (let { retried } = tries; ; retried += 1) {
    const price = purse && (await priceNow(model));
    const room = purse?.answerTokens(price);
    if (room === null) return { fault: exhausted(model, last), usage: NO_USAGE, attempt: retried + 1 };
    const most = room === undefined ? unbound.maxOutputTokens : Math.min(room, unbound.maxOutputTokens ?? room);
    const request = most === undefined ? unbound : { ...unbound, maxOutputTokens: most };
    const asked = await ask(model, request, call, timeoutMs, listener?.());
    const said = asked.kind === 'failed' ? asked.error.usage : asked.event.payload.usage;
    const isLost = asked.kind !== 'completed' && !asked.isCounted;
    const usage = await counted(model, isLost ? (purse?.worst(most ?? 0) ?? leastUsage(asked, request)) : said);
    purse?.draw(usage, price);
    if (asked.kind !== 'failed') {
      yield* told(asked, model, request, usage);
      return null;
    }
    const { error } = asked;
    const fault = { code: error.code, message: error.message };
    last = fault;
    const next = nextAfter(error.remedy, { retried, limited: tries.limited }, random());
    if (next.kind === 'give_up')
      return { fault: inTheEnd(error, retried + tries.limited + 1), usage, attempt: retried + 1 };
    const retryAt = new Date((call.now ?? now)() + next.afterMs).toISOString();
    if (next.kind === 'wait') {
      if (isUsed(usage)) yield { type: 'model.retried', payload: { attempt: retried + 1, fault, usage } };
      yield { type: 'model.limited', payload: { retryAt, fault } };
      return null;
    }
    yield { type: 'model.retried', payload: { attempt: retried + 1, fault, usage, retryAt } };
    await sleep(next.afterMs, call.signal);
    if (call.signal.aborted) {
      yield interrupted(call.signal, '', NO_USAGE).event;
      return null;
    }
  }
}

/** Failures of a request that was sent, as against any error that a model throws. */
const SENT = new Set(['model_timed_out', 'bad_answer']);

/** What a try has used at least that was not counted, where no limit has to hold. */
function leastUsage(asked: Exclude<Asked, { kind: 'completed' }>, request: ModelRequest): Usage {
  if (asked.kind === 'interrupted')
    return believedUsage(asked.event.payload.usage, request, { text: asked.event.payload.text, calls: [] });
  const { code, usage } = asked.error;
  return SENT.has(code) ? believedUsage(usage, request, { text: '', calls: [] }) : usage;
}

/** Ends after so many milliseconds, or as soon as the signal aborts. Never rejects. */
export async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await wait(milliseconds, null, { signal }).catch(() => {});
}

/**
 * Patience that has run out is told with its number, and under the code that says who must mend it; a full window with
 * what makes a request smaller, because providers seldom say that.
 */
function inTheEnd({ code, message, remedy }: ModelError, times: number): Fault {
  if (code === NO_ANSWER.full) return { code, message: withRemedy(message) };
  if (remedy === null) return { code, message };
  return { code: 'provider_unavailable', message: times > 1 ? `${message} (asked ${times} times)` : message };
}

/** The fault of an exhausted allowance, with the failure before it, if there was one. */
function exhausted({ name }: Model, last: Fault | null): Fault {
  const why = last ? ` again after: ${last.message}` : '';
  return { code: BUDGET_EXHAUSTED, message: `What is left of the budget has no room to ask ${name}${why}` };
}

function* told(
  asked: Exclude<Asked, { kind: 'failed' }>,
  model: Model,
  request: ModelRequest,
  usage: Usage,
): Generator<LoopEvent> {
  if (asked.kind === 'completed') yield* warnings(asked, model, request, usage);
  yield { ...asked.event, payload: { ...asked.event.payload, usage } } as LoopEvent;
}

function* warnings(
  { event, isEndUnsaid, ignored }: Asked & { kind: 'completed' },
  model: Model,
  { tools, step }: ModelRequest,
  usage: Usage,
) {
  const { calls, cut } = event.payload;
  if (tools.length === 0 && calls.length > 0) {
    const amount = `${calls.length} ${calls.length === 1 ? 'call' : 'calls'}`;
    yield warning('calls_ignored', `The model was offered no tools, but asked for ${amount}.`);
  }
  if (cut === 'empty') yield warning('answer_empty', 'The model has said nothing, and asked for no call.');
  else if (cut === 'promised')
    yield warning('call_promised', 'The model announced a call, or wrote it as text, and made none.');
  else if (cut) yield warning('answer_cut', CUT[cut]);
  else if (isEndUnsaid && calls.length === 0) yield warning('end_unsaid', END_UNSAID);
  // These are said once in a run: they are the same in any step.
  if (step === 0 && ignored.length > 0) yield warning('parameters_ignored', `${model.name}: ${ignored.join('; ')}`);
  // A model without a price has none in any step.
  if (step === 0 && model.price && isUsed(usage) && !usage.cost) {
    yield warning('price_unknown', `The price of ${model.name} is unknown: set it in providers, under prices.`);
  }
}

const END_UNSAID = 'The provider did not say why its answer ended: it is taken as whole, and may have been cut.';

const CUT = {
  length: 'The provider cut the answer off: it was too long.',
  filter: 'The provider held the answer back, or a part of it.',
  refusal: 'The model refused to answer.',
  context: 'The window of the model was full before the answer was whole.',
} as const satisfies { readonly [cut in Cut]: string };

const warning = (code: string, message: string): EventOf<'warning.raised'> => ({
  type: 'warning.raised',
  payload: { code, message },
});

const isUsed = ({ inputTokens, outputTokens }: Usage) => inputTokens + outputTokens > 0;

/** Before anything is used: what the longest requests cost. */
export const priceNow = async ({ price }: Model): Promise<Price | null> =>
  price ? price(LONGEST).catch(() => null) : null;

/** Usage with its cost, if the model has a price. */
export async function counted(model: Model, usage: Usage): Promise<Usage> {
  if (!model.price || !isUsed(usage) || usage.cost) return usage;
  return withCost(usage, await model.price(usage).catch(() => null));
}
