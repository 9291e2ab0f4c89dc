import { setTimeout as wait } from 'node:timers/promises';
import type { z } from 'zod';
import type { Usage } from '../../../machines/events.ts';
import { type Model, type ModelAnswer, type ModelCall, ModelError, type ModelRequest } from './model.ts';
import { answerAt, readScript, type Script, ScriptedAnswer } from './script.ts';
import { keepable } from './model-answer.ts';
import { CHARACTERS_PER_TOKEN } from '../../budget/message-length.ts';
import { estimate } from './token-estimate.ts';
import { head } from '../../text/excerpt.ts';

export type ScriptFault = 'not_found' | 'unknown_kind' | 'not_json' | 'not_loaded' | 'no_default' | 'not_a_script';

/** A script that cannot be used: which one, and what to change in it. */
export class ScriptError extends Error {
  override readonly name = 'ScriptError';
  readonly code: ScriptFault;
  readonly script: string;

  constructor(code: ScriptFault, script: string, message: string, options?: ErrorOptions) {
    super(`${script}: ${message}`, options);
    this.code = code;
    this.script = script;
  }
}

const EXAMPLE = '{"answers": [{"text": "Done."}]}';
const SHOWN_CHARS = 80;

/** A value that is no script, or no answer of one: its first wrong field, what stands there, what was expected. */
function notAScript(script: string, value: unknown, { issues: [issue] }: z.ZodError): ScriptError {
  const path = issue?.path ?? [];
  const field = path.length > 0 ? `${path.join('.')} is ${shown(at(value, path))}` : `it is ${shown(value)}`;
  return new ScriptError('not_a_script', script, `${field}. ${issue?.message}. ${EXAMPLE} is a script.`);
}

function at(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((inner, key) => (Object(inner) as Record<PropertyKey, unknown>)[key], value);
}

function shown(value: unknown): string {
  return head(value === undefined ? 'missing' : (JSON.stringify(value) ?? typeof value), SHOWN_CHARS);
}

type Answer = z.output<typeof ScriptedAnswer>;
type AnswerFunction = (request: ModelRequest) => ScriptedAnswer | Promise<ScriptedAnswer>;

/** A script as data, or a function that answers. */
export type AnyScript = Script | AnswerFunction;

/**
 * A model that answers from a script. Its answer depends on the request alone, so a resumed run gets the same again.
 * Throws a `ScriptError` for an invalid script.
 *
 * @example
 * const model = scriptedModel({
 *   answers: [
 *     { text: 'I look first.', calls: [{ tool: 'read_file', arguments: { path: 'sum.js' } }] },
 *     { text: 'It adds.', chunkCharacters: 3, delayMs: 20 },
 *   ],
 * });
 */
export function scriptedModel(script: AnyScript, name = 'script'): Model {
  const answerTo = typeof script === 'function' ? byFunction(script, name) : byPlace(script, name);
  return {
    name,
    answer: async (request, call) => say(bounded(await answerTo(request), request), request, call),
    ...pricing(script),
  };
}

function byPlace(script: Script, name: string): (request: ModelRequest) => Answer {
  const read = readScript(script);
  if (!read.success) throw notAScript(name, script, read.error);
  return ({ iteration, step }) => {
    const answer = answerAt(read.data, iteration, step);
    if (answer) return answer;
    throw new ModelError('script_exhausted', `${name} has no answer for attempt ${iteration + 1}, step ${step + 1}.`);
  };
}

function byFunction(script: AnswerFunction, name: string): (request: ModelRequest) => Promise<Answer> {
  return async (request) => {
    const answer = await script(request);
    const read = ScriptedAnswer.safeParse(answer);
    if (read.success) return read.data;
    throw new ModelError('bad_answer', notAScript(name, answer, read.error).message);
  };
}

/** What a script says it costs, whatever was used. */
function pricing(script: AnyScript): Pick<Model, 'price'> {
  const price = typeof script === 'function' ? undefined : script.price;
  return price ? { price: async () => ({ ...price, source: SCRIPT }) } : {};
}

const SCRIPT = 'script';

/** As any model, it says no more than it may: what is too long is cut, and calls are what it would have said last. */
function bounded(answer: Answer, request: ModelRequest): Answer & { cut?: 'length' } {
  const { maxOutputTokens: most } = request;
  const usage = answer.usage ?? estimate(request, answer.text, callsOf(answer));
  if (most === undefined || usage.outputTokens <= most) return answer;
  const text = answer.text.slice(0, most * CHARACTERS_PER_TOKEN);
  return { ...answer, text, calls: [], usage: { ...usage, outputTokens: most }, cut: 'length' };
}

async function say(
  answer: Answer & { cut?: 'length' },
  request: ModelRequest,
  { signal, delta }: ModelCall,
): Promise<ModelAnswer> {
  let said = '';
  for (const piece of pieces(answer)) {
    if (answer.delayMs > 0) await wait(answer.delayMs, null, { signal }).catch(() => {});
    if (signal.aborted) throw stopped(answer.usage ?? estimate(request, said, []));
    if (piece) delta(piece);
    said += piece;
  }
  const { text, error } = answer;
  const calls = callsOf(answer);
  const usage = answer.usage ?? estimate(request, text, calls);
  if (error) throw new ModelError(error.code, error.message, usage);
  return { text, calls, usage, ...(answer.cut ? { cut: answer.cut } : {}) };
}

const callsOf = ({ calls }: Answer) =>
  calls.map(({ id, tool, arguments: given }) => ({
    ...(id === undefined ? {} : { id }),
    tool,
    arguments: keepable(given),
  }));

const stopped = (usage: Usage) => new ModelError('stopped', 'The model was told to stop.', usage);

/** Cut between code points. */
function pieces({ text, chunkCharacters }: Answer): readonly string[] {
  if (chunkCharacters === undefined || text === '') return [text];
  const characters = Array.from(text);
  return Array.from({ length: Math.ceil(characters.length / chunkCharacters) }, (_, index) =>
    characters.slice(index * chunkCharacters, (index + 1) * chunkCharacters).join(''),
  );
}
