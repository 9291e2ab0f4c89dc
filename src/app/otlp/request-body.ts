import { BODY } from './otlp-json.ts';

/** Bytes that one UTF-16 unit takes at most. */
const MAX_CHAR_BYTES = 3;
/** The most memory that is kept for the next request. */
const MAX_KEPT_BYTES = 4_194_304;

/** The memory of an earlier request. Null: there was none, or a request uses it. */
let kept: Buffer | null = null;

/** The body of one request, as bytes. */
export interface RequestBody {
  readonly bytes: Buffer;
  /** Leaves its memory to the next request. The bytes must have been sent. */
  readonly release: () => void;
}

/**
 * Writes the body of a request with these spans. A text of the whole would be written three times on the way to the
 * collector, each time into new memory, which costs more than what is written there.
 */
export function requestBody(spans: readonly string[]): RequestBody {
  let chars = BODY.before.length + BODY.after.length + spans.length;
  for (const span of spans) chars += span.length;
  const memory = kept && kept.length >= chars * MAX_CHAR_BYTES ? kept : Buffer.allocUnsafe(chars * MAX_CHAR_BYTES);
  kept = null;
  let at = memory.write(BODY.before, 0);
  for (const [index, span] of spans.entries()) {
    if (index > 0) at += memory.write(',', at);
    at += memory.write(span, at);
  }
  at += memory.write(BODY.after, at);
  const release = () => {
    if (memory.length <= MAX_KEPT_BYTES) kept = memory;
  };
  return { bytes: memory.subarray(0, at), release };
}
