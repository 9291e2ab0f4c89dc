import { jsonIn } from '../../text/json-in.ts';
import { z } from 'zod';
import { END_UNSAID } from './end-marker.ts';
import { errorInside, statusOfError } from './error-inside.ts';
import { withCounts } from './counts-as-text.ts';

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
