import type { Actor, EffectCall } from '../actor.ts';
import { lostUsage, askWithin, type Limited, type Said, addedUsage, lessUsed } from './ask-within.ts';
import type { Model, ModelRequest, Message } from './model.ts';
import type { Allowance } from './purse.ts';
import type { Usage } from '../../../machines/events.ts';
import { MODEL_TIMEOUT_MS, type ModelActorOptions, pause } from './model-actor.ts';

/** How often one thing is asked for where the provider fails. */
const MAX_TRIES = 3;
const FIRST_PAUSE_MS = 1_000;
const MAY_PASS = new Set(['provider_unavailable', 'rate_limited', 'model_timed_out']);

export type AskOptions = Pick<ModelActorOptions, 'timeoutMs' | 'sleep'>;

interface Question {
  readonly request: ModelRequest;
  readonly allowance: Allowance;
  /** What tries before these may have used of the allowance. */
  readonly before: Usage;
}

/**
 * Asks a model one thing, again where a failure may pass, all within one allowance. The usage is of all tries together.
 */
export async function askAgain(
  model: Model,
  { request, allowance, before }: Question,
  call: EffectCall,
  { timeoutMs = MODEL_TIMEOUT_MS, sleep = pause }: AskOptions,
): Promise<Said> {
  let used = before;
  for (let tried = 1; ; tried += 1) {
    const said = await askForText(model, request, { allowance: lessUsed(allowance, used), timeoutMs }, call);
    used = addedUsage(used, said.usage);
    if (said.kind !== 'failed' || tried === MAX_TRIES || !MAY_PASS.has(said.fault.code))
      return { ...said, usage: used };
    await sleep(FIRST_PAUSE_MS * 2 ** (tried - 1), call.signal);
  }
}

/**
 * Asks a model for a text, and once more without any tools where it calls one instead. All of it is within one
 * allowance and one time limit, and the usage is of both requests together.
 */
async function askForText(
  model: Model,
  request: ModelRequest,
  { allowance, timeoutMs }: Limited,
  call: EffectCall,
): Promise<Said> {
  const began = performance.now();
  const first = await askWithin(model, request, { allowance, timeoutMs }, call);
  if (first.kind !== 'answered' || !first.isCall) return first;
  const left = { allowance: lessUsed(allowance, first.usage), timeoutMs: timeLeft(timeoutMs, began) };
  const second = await askWithin(model, withoutTools(request), left, call);
  const said = isLess(second, first) ? first : second;
  return { ...said, usage: addedUsage(first.usage, second.usage) };
}

/** Tells whether the second answer has no text, and the first one had some beside its call. */
const isLess = (second: Said, first: Said & { kind: 'answered' }): boolean =>
  first.text.trim() !== '' && (second.kind === 'failed' || (second.kind === 'answered' && second.text.trim() === ''));

const timeLeft = (timeoutMs: number, began: number): number =>
  Math.max(1, Math.floor(timeoutMs - (performance.now() - began)));

const IN_TEXT = 'You have called a tool, and there are none now. Answer in text.';

/**
 * The same request as texts alone: some providers refuse calls in a conversation where no tools are offered. What is
 * asked for stays last.
 */
function withoutTools(request: ModelRequest): ModelRequest {
  const messages = request.messages.map(asText);
  const last = messages.at(-1);
  const question: Message = { role: 'user', text: last?.role === 'user' ? `${last.text}\n\n${IN_TEXT}` : IN_TEXT };
  return { ...request, tools: [], messages: [...(last?.role === 'user' ? messages.slice(0, -1) : messages), question] };
}

function asText(message: Message): Message {
  switch (message.role) {
    case 'user':
      return message;
    case 'tool':
      return { role: 'user', text: `Result of ${message.tool}: ${message.output}` };
    case 'assistant': {
      if (message.calls.length === 0) return message;
      const calls = message.calls.map(({ tool, arguments: given }) => `Called ${tool} ${JSON.stringify(given)}`);
      return { role: 'assistant', text: [message.text, ...calls].filter((line) => line !== '').join('\n'), calls: [] };
    }
  }
}

/** A summary that has not come by then is done without: the ending itself has a limit. */
const SUMMARY_LIMIT_MS = 20_000;

export interface SummaryInput {
  readonly request: ModelRequest;
  /** What was set aside for it. */
  readonly allowance: Allowance;
  /** What is said anyway, and alone where the model says nothing. */
  readonly sentinel: string;
}

const CUT = {
  code: 'summary_cut',
  message: 'The summary at the end was cut off at its greatest length: allow more with summaryTokens.',
};

/**
 * Asks a model once to sum a run up, and once more where it calls a tool instead, within the reservation for that:
 * `summary.written`, which always begins with the sentinel, after `warning.raised` (`summary_cut`) where the answer
 * stops early. After a crash the model is not asked again: the reservation may be used up.
 *
 * @example
 * for await (const event of summaryActor(model).execute({ request, allowance, sentinel }, call)) accept(event);
 */
export function summaryActor(model: Model, timeoutMs = SUMMARY_LIMIT_MS): Actor<SummaryInput> {
  return {
    effectClass: () => 'repeatable',
    async *execute({ request, allowance, sentinel }, call) {
      const said =
        call.attempt > 1
          ? ({ kind: 'interrupted', usage: await lostUsage(model, request, allowance) } as const)
          : await askForText(model, request, { allowance, timeoutMs }, call);
      const text = said.kind === 'answered' ? said.text.trim() : '';
      const isCut = said.kind === 'answered' && said.cut !== undefined;
      if (isCut) yield { type: 'warning.raised', payload: CUT };
      const parts = [sentinel, text, isCut && text !== '' ? '[This summary was cut off here.]' : ''];
      yield {
        type: 'summary.written',
        payload: { text: parts.filter((part) => part !== '').join('\n\n'), usage: said.usage },
      };
    },
  };
}
