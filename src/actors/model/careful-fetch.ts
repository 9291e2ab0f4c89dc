import { openingOf } from './opening.ts';
import { insteadOfStream, mayHaveCountsAsText, withCounts } from './whole-instead.ts';
import { jsonIn } from '../../text/json-in.ts';
import { END_UNSAID } from './end-marker.ts';

const MAX_TITLE_CHARACTERS = 60;

/** A web page came where a model should answer: a proxy or a login is in the way, or the address is another one. */
export class PageInstead extends Error {
  override readonly name = 'PageInstead';

  constructor(url: string, page: string) {
    const title = /<title[^<>]*>([^<]*)/i.exec(page)?.[1]?.replaceAll(/\s+/g, ' ').trim() ?? '';
    const named = title === '' ? '' : ` (“${title.slice(0, MAX_TITLE_CHARACTERS)}”)`;
    super(`${URL.parse(url)?.origin ?? 'its address'} answers with a web page${named}, and not as a model`);
  }
}

const LINE_END = '\n';
const DONE = '[DONE]';
const CHAT = /"choices"\s*:/;
const REASON = /"finish_reason"\s*:\s*"[^"]/;
const END = `data: ${JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: END_UNSAID }] })}\n\n`;

/**
 * Server-sent events as the clients understand them. Counts of tokens that are text become numbers. Where a server of
 * chats ends its stream with `[DONE]` and never said why, the end gets a reason that stands for that.
 */
function mendedEvents(): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  let isChat = false;
  let hasReason = false;
  let rest = '';
  const mended = (line: string): string => {
    if (!line.startsWith('data:')) return line;
    const said = line.slice('data:'.length).trim();
    if (said === DONE) return isChat && !hasReason ? END + line : line;
    isChat ||= CHAT.test(said);
    hasReason ||= REASON.test(said);
    return mayHaveCountsAsText(said) ? `data: ${JSON.stringify(withCounts(jsonIn(said))) ?? said}` : line;
  };
  return new TransformStream({
    transform(piece, out) {
      const lines = (rest + decoder.decode(piece, { stream: true })).split(LINE_END);
      rest = lines.pop() ?? '';
      if (lines.length > 0) out.enqueue(encoder.encode(lines.map((line) => mended(line) + LINE_END).join('')));
    },
    flush(out) {
      const last = rest + decoder.decode();
      if (last !== '') out.enqueue(encoder.encode(mended(last)));
    },
  });
}

/** Of one answer as it is sent. The longest that models give take a few tens of megabytes, most of it framing. */
export const MAX_ANSWER_BYTES_SENT = 64 * 1024 * 1024;
/** Of a refusal: what comes after it is not read. */
const MAX_REFUSAL_BYTES = 64 * 1024;

/**
 * As `fetch`, for requests of a stream, but follows no redirects, because they would receive the keys in the headers,
 * and limits the length of an answer: one that is too long ends with an error; a refusal is cut. A web page in place of
 * an answer is an error (`PageInstead`), and so is an answer that came as a whole (`WholeInstead`), for its client to
 * be read by. Other errors with status 200 get the status that they name.
 */
export const carefulFetch: typeof fetch = async (input, init) => {
  const response = await fetch(input, { ...init, redirect: 'manual' });
  if (response.body === null) return response;
  const { status, statusText, headers, url } = response;
  if (!response.ok)
    return new Response(response.body.pipeThrough(cutAt(MAX_REFUSAL_BYTES)), { status, statusText, headers });
  const { words, body } = await openingOf(response.body.pipeThrough(endingAbove(MAX_ANSWER_BYTES_SENT)));
  if (words.startsWith('<')) {
    await body.cancel();
    throw new PageInstead(url, words);
  }
  if (/^[[{]/.test(words)) return insteadOfStream(await new Response(body).text(), response);
  return new Response(body.pipeThrough(mendedEvents()), { status, statusText, headers });
};

function endingAbove(maxBytes: number): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
  let bytes = 0;
  return new TransformStream({
    transform(piece, out) {
      bytes += piece.length;
      if (bytes > maxBytes) out.error(new AnswerTooLong(maxBytes));
      else out.enqueue(piece);
    },
  });
}

function cutAt(maxBytes: number): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
  let room = maxBytes;
  return new TransformStream({
    transform(piece, out) {
      out.enqueue(piece.subarray(0, room));
      room -= piece.length;
      if (room <= 0) out.terminate();
    },
  });
}

/** The model, or who speaks for it, is out of hand: asked again it would be no better. */
export class AnswerTooLong extends Error {
  override readonly name = 'AnswerTooLong';
  readonly maxBytes: number;

  constructor(maxBytes: number) {
    super(`the answer has more than ${maxBytes} bytes`);
    this.maxBytes = maxBytes;
  }
}
