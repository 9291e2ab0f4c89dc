import { z } from 'zod';
import { type EventOf, type ToolCall, Usage } from '../../../machines/events.ts';
import { isDeeperThan } from '../../log/json-depth.ts';
import { jsonFault } from '../../log/json-gate.ts';
import { ModelError } from './model.ts';

/**
 * An answer with more calls than this cannot be used. Of those it may have, admission runs the first and refuses the
 * rest.
 */
export const MAX_CALLS_PER_ANSWER = 1_024;
export const MAX_ANSWER_CHARACTERS = 1_000_000;
export const MAX_ARGUMENT_CHARACTERS = 1_000_000;
/** Levels of arguments: schemas, digests and estimates walk them by calling themselves. */
export const MAX_ARGUMENT_DEPTH = 200;
/** Text and calls together, as the JSON that is recorded: an event of the log holds 8 MiB. */
export const MAX_ANSWER_BYTES = 4 * 1024 * 1024;
/** Reasoning is a comfort to its provider, not the answer: beyond this it is not kept. */
const MAX_CONTINUITY_BYTES = 1024 * 1024;
const MAX_NAME_CHARACTERS = 512;

export const NO_USAGE: Usage = { inputTokens: 0, outputTokens: 0 };

const Name = z.string().max(MAX_NAME_CHARACTERS);
const Call = z.object({ id: Name.nullish(), tool: Name, arguments: z.unknown() });
const Answer = z.object({
  text: z.string().max(MAX_ANSWER_CHARACTERS),
  calls: z.array(Call).max(MAX_CALLS_PER_ANSWER).default([]),
  model: Name.optional(),
  continuity: z.unknown().optional(),
  cut: z.enum(['length', 'filter', 'refusal', 'context']).nullish(),
});

/**
 * A model's answer as a recorded event. Only an answer that cannot be read at all is a `ModelError` (`bad_answer`):
 * invalid arguments stay in their call, for the tool to refuse, so that the model gets the error.
 */
export function completed(answer: unknown, step: number): EventOf<'model.completed'> {
  const read = Answer.safeParse(answer);
  const usage = usageIn(Object(answer).usage);
  if (!read.success) throw new ModelError('bad_answer', complaint(read.error), usage);
  const { model, cut } = read.data;
  const text = read.data.text.toWellFormed();
  const calls = read.data.calls.map((call, index) => ({
    callId: `${step}.${index}`,
    providerId: call.id?.toWellFormed() ?? null,
    tool: call.tool.toWellFormed(),
    arguments: keepable(call.arguments),
  }));
  const tooLong = excess(text, calls);
  if (tooLong !== null) throw new ModelError('bad_answer', unusable(tooLong), usage);
  const continuity = continuityIn(read.data.continuity);
  const whose = {
    ...(model === undefined ? {} : { model }),
    ...(continuity === null ? {} : { continuity }),
    ...(cut ? { cut } : {}),
  };
  return { type: 'model.completed', payload: { text, calls, usage, ...whose } };
}

/** What the log can keep of it: all or nothing, as no provider takes half of it back. */
function continuityIn(value: unknown): ToolCall['arguments'] | null {
  if (value === undefined || jsonFault({ continuity: value })) return null;
  return jsonBytes(value) <= MAX_CONTINUITY_BYTES ? (value as ToolCall['arguments']) : null;
}

/** How an answer whose parts are within their limits is too long as a whole, or null. */
function excess(text: string, calls: readonly ToolCall[]): string | null {
  const [ofText, ofCalls] = [jsonBytes(text), jsonBytes(calls)];
  if (ofText + ofCalls <= MAX_ANSWER_BYTES) return null;
  const parts = `${ofText} bytes of text and ${ofCalls} of calls`;
  return `the whole of it: too long: ${parts}, at most ${MAX_ANSWER_BYTES} together`;
}

const jsonBytes = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

const unusable = (why: string) => `The model's answer cannot be used: ${why}.`;

function complaint({ issues: [issue] }: z.ZodError): string {
  const place = issue?.path.length ? issue.path.join('.') : 'the whole of it';
  return unusable(`${place}: ${issue?.message ?? 'unreadable'}`);
}

/**
 * The counts of a usage. One that is missing, or that is not a whole number from 0 on, is unknown and estimated later:
 * the answer is there, so what its provider says about its price ends no run.
 */
function usageIn(told: unknown): Usage {
  const counts = Object.entries(Usage.shape).flatMap(([name, schema]) => {
    const { data } = schema.safeParse(Object(told)[name]);
    return data === undefined ? [] : [[name, data]];
  });
  return { ...NO_USAGE, ...Object.fromEntries(counts) };
}

/** The arguments as the log can keep them, or a text that says why it cannot: no tool takes that for its input. */
export function keepable(given: unknown): ToolCall['arguments'] {
  const value = typeof given === 'string' ? (objectIn(given) ?? given) : given;
  if (isDeeperThan(MAX_ARGUMENT_DEPTH, value)) return `too deep: nested in more than ${MAX_ARGUMENT_DEPTH} levels`;
  const fault = jsonFault(value);
  if (fault) return `not JSON: ${fault.found} at ${fault.path}`;
  const json = value as ToolCall['arguments'];
  const characters = JSON.stringify(json).length;
  if (characters > MAX_ARGUMENT_CHARACTERS) return `too long: ${characters} of ${MAX_ARGUMENT_CHARACTERS} characters`;
  return json;
}

/** Some models write their arguments as a text once more. Null: it is only a text. */
function objectIn(text: string): object | null {
  if (text.length > MAX_ARGUMENT_CHARACTERS) return null;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}
