import { jsonIn } from '../../text/json-in.ts';
import { mayHaveCountsAsText, withCounts } from './counts-as-text.ts';
import { END_UNSAID } from './end-marker.ts';

const LINE_END = '\n';
const DONE = '[DONE]';
const CHAT = /"choices"\s*:/;
const REASON = /"finish_reason"\s*:\s*"[^"]/;
const END = `data: ${JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: END_UNSAID }] })}\n\n`;

/**
 * Server-sent events as the clients understand them. Counts of tokens that are text become numbers. Where a server of
 * chats ends its stream with `[DONE]` and never said why, the end gets a reason that stands for that.
 */
export function mendedEvents(): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
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
