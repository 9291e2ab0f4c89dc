import { jsonIn } from '../../text/json-in.ts';
import { z } from 'zod';
import { END_UNSAID } from './end-marker.ts';
import { errorInside, statusOfError } from './error-inside.ts';

/** Where each API has its counts of tokens, at any depth below. */
const PLACES: ReadonlySet<string> = new Set(['usage', 'usageMetadata']);
/** The objects in which such a place may lie. */
const AROUND: ReadonlySet<string> = new Set(['response', 'message']);
const NUMBER = /^\d+(\.\d+)?$/;

/** Whether a text of JSON may have a count that is a text. */
export const mayHaveCountsAsText = (json: string): boolean => /"[a-zA-Z_]*[tT]okens?[a-zA-Z_]*"\s*:\s*"/.test(json);

/** A piece of an answer whose counts of tokens are numbers, also where its server sends them as text. */
export function withCounts(piece: unknown): unknown {
  if (!isObject(piece)) return piece;
  return mapped(piece, (value, name) => {
    if (PLACES.has(name)) return counts(value);
    return AROUND.has(name) ? withCounts(value) : value;
  });
}

function counts(value: unknown): unknown {
  if (typeof value === 'string') return NUMBER.test(value) ? Number(value) : value;
  return isObject(value) ? mapped(value, counts) : value;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const mapped = (object: Record<string, unknown>, change: (value: unknown, name: string) => unknown) =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value, name)]));

/** A server sent its answer as one JSON document, though it was asked to stream. It is the answer all the same. */
export class WholeInstead extends Error {
  override readonly name = 'WholeInstead';
  readonly body: unknown;

  constructor(body: unknown) {
    super('the answer came whole, and not as a stream');
    this.body = body;
  }
}

const some = z.array(z.looseObject({})).min(1);
const Chat = z.looseObject({ choices: some });
const Google = z.looseObject({ candidates: some });
const Blocked = z.looseObject({ promptFeedback: z.looseObject({ blockReason: z.string() }) });
const Responses = z.looseObject({ output: z.array(z.unknown()), status: z.string() });
const Anthropic = z.looseObject({ type: z.literal('message'), content: z.array(z.unknown()) });
const Whole = z.union([Chat, Google, Blocked, Responses, Anthropic]);

/**
 * What a JSON document is that came with status 200 in place of a stream: an error gets the status that it names, so
 * that it is read as any other; pieces of a stream in a list become a stream. Throws `WholeInstead` for an answer.
 */
export function insteadOfStream(document: string, { headers }: Pick<Response, 'headers'>): Response {
  const body = jsonIn(document);
  const error = errorInside(body);
  const kept = new Headers([...headers].filter(([name]) => !OF_THE_BODY.has(name)));
  if (error !== null) return new Response(document, { status: statusOfError(error), headers: kept });
  if (Array.isArray(body)) return new Response(body.map(event).join(''), { headers: kept });
  if (Whole.safeParse(body).success) throw new WholeInstead(withEnd(withCounts(body)));
  return new Response(document, { headers: kept });
}

/** What `fetch` has undone by now. */
const OF_THE_BODY: ReadonlySet<string> = new Set(['content-encoding', 'content-length', 'transfer-encoding']);

const event = (piece: unknown) => `data: ${JSON.stringify(withCounts(piece))}\n\n`;

/** A document that is whole is no half of an answer, though its reason to end is left out. */
function withEnd(body: unknown): unknown {
  const chat = Chat.safeParse(body).data;
  if (chat)
    return {
      ...chat,
      choices: chat.choices.map((one) => ({ ...one, finish_reason: one['finish_reason'] ?? END_UNSAID })),
    };
  const google = Google.safeParse(body).data;
  if (!google) return body;
  return {
    ...google,
    candidates: google.candidates.map((one) => ({ ...one, finishReason: one['finishReason'] ?? END_UNSAID })),
  };
}
