import { refusingPages } from './page-instead.ts';

/** Of one answer as it is sent. The longest that models give take a few tens of megabytes, most of it framing. */
export const MAX_ANSWER_BYTES_SENT = 64 * 1024 * 1024;
/** Of a refusal: what comes after it is not read. */
const MAX_REFUSAL_BYTES = 64 * 1024;

/**
 * As `fetch`, but follows no redirects, because they would receive the keys in the headers, and limits the length of an
 * answer: one that is too long ends with an error, as does a web page in place of an answer; a refusal is cut.
 */
export const carefulFetch: typeof fetch = async (input, init) => {
  const response = await fetch(input, { ...init, redirect: 'manual' });
  if (response.body === null) return response;
  const { status, statusText, headers } = response;
  const body = response.ok
    ? response.body.pipeThrough(refusingPages(response.url)).pipeThrough(endingAbove(MAX_ANSWER_BYTES_SENT))
    : response.body.pipeThrough(cutAt(MAX_REFUSAL_BYTES));
  return new Response(body, { status, statusText, headers });
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
