import { once } from 'node:events';
import { Agent as HttpAgent, type IncomingMessage, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { setTimeout as delay } from 'node:timers/promises';
import { retryAfter } from '../../text/retry-after.ts';
import type { Collector } from './collector.ts';
import { requestBody } from './request-body.ts';
import { SpanQueue } from './span-queue.ts';

const SEND_MS = 10_000;
const SLOW = `no answer within ${SEND_MS / 1000} s`;
/** Of an answer: what comes after it is not read. */
const MAX_ANSWER_BYTES = 65_536;
const MAX_REASON_CHARS = 200;
/** Answers after which the same request may be made again, by the protocol. */
const BUSY: readonly number[] = [429, 502, 503, 504];

/** The result of one request. `busy` and `gone` may be tried again, `refused` would be refused again. */
export type Sent =
  | { readonly kind: 'taken'; readonly rejected: number; readonly failure: string | null }
  | { readonly kind: 'busy'; readonly failure: string; readonly afterMs: number | null }
  | { readonly kind: 'gone' | 'refused'; readonly failure: string };

/** Sends spans in one request. A redirection is not followed: the headers may hold a key. */
export async function postSpans(collector: Collector, spans: readonly string[], signal?: AbortSignal): Promise<Sent> {
  try {
    const { status, headers, text } = await posted(collector, spans, signal);
    if (status >= 200 && status < 300) return { kind: 'taken', ...rejectedIn(text) };
    const failure = `it answered with ${status}`;
    if (!BUSY.includes(status)) return { kind: 'refused', failure };
    const afterMs = retryAfter(headers, Date.now());
    const asked = afterMs === null ? '' : ` and asks to wait ${Math.ceil(afterMs / 1000)} s`;
    return { kind: 'busy', failure: `${failure}${asked}`, afterMs };
  } catch (error) {
    return { kind: 'gone', failure: reasonOf(error) };
  }
}

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Its beginning. */
  readonly text: string;
}

/** Connections are kept open between the requests of one run. `fetch` would cost several times as much CPU. */
const AGENTS = { 'http:': new HttpAgent({ keepAlive: true }), 'https:': new HttpsAgent({ keepAlive: true }) };

async function posted(collector: Collector, spans: readonly string[], signal?: AbortSignal): Promise<Answer> {
  const { url, headers } = collector;
  const body = requestBody(spans);
  const isSecure = url.startsWith('https:');
  const signals = [AbortSignal.timeout(SEND_MS), ...(signal ? [signal] : [])];
  const request = (isSecure ? httpsRequest : httpRequest)(url, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json', 'content-length': body.bytes.length },
    agent: AGENTS[isSecure ? 'https:' : 'http:'],
    signal: AbortSignal.any(signals),
  });
  // What fails after the answer has begun fails the answer, too.
  request.on('error', () => {});
  request.end(body.bytes);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const named = Object.entries(response.headers).map(([name, value]) => [name, String(value)]);
  const text = await beginningOf(response);
  // A collector may answer before it has taken all.
  if (request.writableFinished) body.release();
  return { status: response.statusCode ?? 0, headers: Object.fromEntries(named), text };
}

async function beginningOf(response: IncomingMessage): Promise<string> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of response) {
    pieces.push(piece);
    bytes += piece.length;
    if (bytes > MAX_ANSWER_BYTES) break;
  }
  return Buffer.concat(pieces).toString();
}

function reasonOf(error: unknown): string {
  const { name, code, cause } = Object(error) as { readonly name?: string; readonly code?: string; cause?: unknown };
  if (name === 'AbortError') return (cause as Error)?.name === 'TimeoutError' ? SLOW : 'no answer in time';
  return code ?? (error instanceof Error ? error.message : String(error));
}

/** A collector may take a request and reject some of its spans, which it says in the answer. */
function rejectedIn(answer: string): { readonly rejected: number; readonly failure: string | null } {
  if (!answer.includes('rejectedSpans')) return { rejected: 0, failure: null };
  try {
    const { partialSuccess } = JSON.parse(answer) as { readonly partialSuccess?: Readonly<Record<string, unknown>> };
    const rejected = Math.max(0, Math.trunc(Number(partialSuccess?.['rejectedSpans'])) || 0);
    const why = String(partialSuccess?.['errorMessage'] ?? '').slice(0, MAX_REASON_CHARS);
    return { rejected, failure: rejected === 0 ? null : `it rejected them${why === '' ? '' : `: ${why}`}` };
  } catch {
    return { rejected: 0, failure: null };
  }
}

/** How often one request is made to a collector that is busy, and how long it is waited for between. */
const MAX_TRIES = 4;
const FIRST_WAIT_MS = 1_000;
const MAX_WAIT_MS = 30_000;

/** Sends all spans, and waits where a collector is busy. Returns how many it took, and why it did not take the rest. */
export async function sendSpans(
  collector: Collector,
  spans: readonly string[],
): Promise<{ readonly sent: number; readonly failure: string | null }> {
  const queue = new SpanQueue({ spans: Number.POSITIVE_INFINITY, chars: Number.POSITIVE_INFINITY });
  queue.add(spans);
  let [sent, failure]: [number, string | null] = [0, null];
  while (queue.length > 0) {
    const batch = queue.batch();
    const result = await patientlyPosted(collector, batch);
    if (result.kind !== 'taken') return { sent, failure: result.failure };
    queue.remove(batch.length);
    sent += Math.max(0, batch.length - result.rejected);
    failure ??= result.failure;
  }
  return { sent, failure };
}

async function patientlyPosted(collector: Collector, batch: readonly string[]): Promise<Sent> {
  for (let tries = 1; ; tries += 1) {
    const result = await postSpans(collector, batch);
    if (result.kind !== 'busy' || tries === MAX_TRIES) return result;
    const waitMs = result.afterMs ?? FIRST_WAIT_MS * 2 ** (tries - 1);
    if (waitMs > MAX_WAIT_MS) return result;
    await delay(waitMs);
  }
}
