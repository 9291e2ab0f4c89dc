import { createAdaptorServer } from '@hono/node-server';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Json } from '../../src/log/envelope.ts';
import { memoryLog } from '../../src/log/sqlite/engine.ts';
import { problemOf } from '../../src/http/problem.ts';
import { offsetOf } from '../../src/http/stream-offset.ts';
import { streamAnswer } from '../../src/http/stream-routes.ts';
import { appended, decided, fact, take } from '../../src/testing/log-contract/contract.ts';

/** Shorter than the tests of the public suite wait. */
const POLL_MS = 1_500;

interface Shimmed {
  readonly run: string;
  readonly contentType: string;
  readonly epoch: number;
  version: number;
}

/**
 * A server for the public suite of Durable Streams: its streams are runs of a log in memory, which it writes itself,
 * and which our read side answers from. A run begins with an event: offsets of empty streams of the suite are after it.
 */
export async function streamShim() {
  const log = memoryLog();
  const streams = new Map<string, Shimmed>();
  const write = async (stream: Shimmed, payloads: readonly Json[], closes: boolean) => {
    const { run, epoch, version } = stream;
    const events = [...payloads.map((one) => fact(one)), ...(closes ? [decided('success')] : [])];
    if (events.length === 0) return;
    const ending = closes ? { closes: 'success' } : {};
    await appended(log.append({ run, events, expectedVersion: version, epoch, ...ending }));
    stream.version += events.length;
  };
  const closes = ({ headers }: Request) => headers.get('stream-closed') === 'true';

  async function create(path: string, request: Request): Promise<Response> {
    if (streams.has(path)) return new Response(null, { status: 200, headers: SECURE });
    const run = `stream-${streams.size}`;
    const { epoch } = await take(log, run);
    const contentType = request.headers.get('content-type') ?? 'application/octet-stream';
    const stream: Shimmed = { run, contentType, epoch, version: 0 };
    streams.set(path, stream);
    await write(stream, [{ begins: true }, ...messagesOf(await request.text(), contentType)], closes(request));
    return new Response(null, { status: 201, headers: wroteHeaders(stream) });
  }

  async function answer(request: Request): Promise<Response> {
    const path = new URL(request.url).pathname;
    if (request.method === 'PUT') return create(path, request);
    const stream = streams.get(path);
    if (!stream) return new Response(null, { status: 404, headers: SECURE });
    if (request.method === 'POST') {
      const text = await request.text();
      const messages = text === '' && closes(request) ? [] : parsed(text, stream.contentType);
      if (messages === null) return new Response(null, { status: 400 });
      await write(stream, messages, closes(request));
      return new Response(null, { status: 204, headers: wroteHeaders(stream) });
    }
    return told(await streamAnswer({ log, pollMs: POLL_MS }, stream.run, request), stream);
  }

  const server = createAdaptorServer({
    fetch: (request) =>
      answer(request).catch((error: unknown) => {
        const { status, problem } = problemOf(error);
        return Response.json(problem, { status, headers: SECURE });
      }),
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, close: () => server.close() };
}

const SECURE = { 'x-content-type-options': 'nosniff', 'cross-origin-resource-policy': 'same-origin' };

const wroteHeaders = ({ version }: Shimmed) => ({ ...SECURE, 'stream-next-offset': offsetOf(version) });

const isJson = (contentType: string): boolean => contentType.startsWith('application/json');

/** Of a JSON stream each member of an array is a message. Null: it is refused. */
function parsed(text: string, contentType: string): readonly Json[] | null {
  if (!isJson(contentType)) return text === '' ? null : [{ told: text }];
  try {
    const value = JSON.parse(text) as Json;
    if (Array.isArray(value) && value.length === 0) return null;
    return messagesOf(text, contentType);
  } catch {
    return null;
  }
}

function messagesOf(text: string, contentType: string): readonly Json[] {
  if (text === '') return [];
  if (!isJson(contentType)) return [{ told: text }];
  const value = JSON.parse(text) as Json;
  return (Array.isArray(value) ? value : [value]).map((told) => ({ told }));
}

/** What our read side answers, as the messages that the suite has written. */
async function told(response: Response, { contentType }: Shimmed): Promise<Response> {
  const headers = new Headers({ ...Object.fromEntries(response.headers), ...SECURE });
  const { status } = response;
  if (response.headers.get('content-type') === 'text/event-stream') {
    const frames = response.body?.pipeThrough(new TextDecoderStream()).pipeThrough(
      new TransformStream<string, string>({
        transform: (frame, controller) => controller.enqueue(frameOf(frame, contentType)),
      }),
    );
    return new Response(frames?.pipeThrough(new TextEncoderStream()) ?? null, { status, headers });
  }
  headers.set('content-type', contentType);
  const text = await response.text();
  return new Response(text === '' ? null : bodyOf(text, contentType), { status, headers });
}

function bodyOf(events: string, contentType: string): string {
  const messages = (JSON.parse(events) as { payload: { told?: Json } }[]).flatMap(({ payload }) =>
    payload.told === undefined ? [] : [payload.told],
  );
  return isJson(contentType) ? JSON.stringify(messages) : messages.join('');
}

function frameOf(frame: string, contentType: string): string {
  if (!frame.startsWith('event: data\n')) return frame;
  const text = bodyOf(frame.slice('event: data\ndata:'.length), contentType);
  const isEmpty = text === '[]' || text === '';
  return isEmpty
    ? ''
    : `event: data\n${text
        .split(/\r\n|\r|\n/)
        .map((line) => `data:${line}\n`)
        .join('')}\n`;
}
