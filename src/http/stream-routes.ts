import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import type { Log } from '../log/log.ts';
import { answers, type ApiEnv } from './api-app.ts';
import type { ApiHost } from './api-host.ts';
import { pageHeaders, pollPage, readPage, type StreamAsked, streamFrames } from './durable-stream.ts';
import { EnvelopeView } from './event-routes.ts';
import { HttpProblem, problemOf } from './problem.ts';
import { RunName, runOf } from './run-name.ts';
import { cursorAfter, startOf } from './stream-offset.ts';

const stream = createRoute({
  method: 'get',
  path: '/api/streams/{run}',
  summary: 'The log of a run by the read side of the Durable Streams protocol.',
  request: {
    params: RunName,
    query: z.object({
      offset: z.string().max(40).optional().openapi({ description: '`-1`, `now`, or one that was answered.' }),
      live: z.enum(['long-poll', 'sse', 'false', 'true']).optional(),
      cursor: z.string().max(40).optional(),
    }),
  },
  responses: answers(z.array(EnvelopeView), 'Events, with headers that say where the next reader begins.'),
});

/** A log whose events are read as a stream, and how long readers wait. */
export interface StreamSource {
  readonly log: Log;
  readonly pollMs?: number;
}

/** Routes by which programs of the Durable Streams protocol read runs. */
export function addStreamRoutes(app: OpenAPIHono<ApiEnv>, { loops: { log } }: Pick<ApiHost, 'loops'>): void {
  app.openapi(stream, async (c) => {
    const { run } = await runOf(log, c.req.valid('param').run);
    return (await streamAnswer({ log }, run, c.req.raw)) as never;
  });
}

/** Answers one request of the protocol about one run. */
export async function streamAnswer({ log, pollMs }: StreamSource, run: string, request: Request): Promise<Response> {
  const query = new URL(request.url).searchParams;
  const said = query.getAll('offset');
  const start = said.length > 1 || said[0] === '' ? null : startOf(said[0]);
  if (start === null) throw new HttpProblem(400, 'request', 'offset: expected -1, now, or an offset that was answered');
  const live = query.get('live') ?? 'false';
  const { signal, method } = request;
  const cursor = query.get('cursor') ?? undefined;
  const asked = { run, start, cursor, signal, ...(pollMs === undefined ? {} : { pollMs }) };
  if (method === 'HEAD') return paged(log, { ...asked, start: 'now' }, request);
  if (live === 'false') return paged(log, asked, request);
  if (said.length === 0) throw new HttpProblem(400, 'request', 'offset: expected one, where events are waited for');
  return live === 'sse' ? await streamed(log, asked) : polled(log, asked);
}

async function paged(log: Log, asked: StreamAsked, request: Request): Promise<Response> {
  const page = await readPage(log, asked);
  const etag = `"${asked.run}:${asked.start}:${page.next}${page.isClosed ? ':closed' : ''}"`;
  const headers = { ...pageHeaders(page), etag, 'cache-control': 'no-store', 'content-type': 'application/json' };
  if (request.headers.get('if-none-match') === etag) return new Response(null, { status: 304, headers });
  return new Response(JSON.stringify(page.events), { headers });
}

async function polled(log: Log, asked: StreamAsked): Promise<Response> {
  const page = await pollPage(log, asked);
  const headers = {
    ...pageHeaders(page),
    'stream-cursor': cursorAfter(asked.cursor),
    'cache-control': 'no-store',
    'content-type': 'application/json',
  };
  if (page.events.length === 0) return new Response(null, { status: 204, headers });
  return new Response(JSON.stringify(page.events), { headers });
}

/** Its first frame is there at once: what cannot be read is an answer, and no stream. */
async function streamed(log: Log, asked: StreamAsked): Promise<Response> {
  const left = new AbortController();
  const frames = streamFrames(log, { ...asked, signal: AbortSignal.any([asked.signal, left.signal]) });
  let next: ReturnType<typeof frames.next> | null = Promise.resolve(await frames.next());
  const body = new ReadableStream<string>({
    async pull(controller) {
      // A reader that asks again, from where it is, is told why there is no more.
      const read = await (next ?? frames.next()).catch(unlessBug);
      next = null;
      if (read.done) controller.close();
      else controller.enqueue(read.value);
    },
    async cancel() {
      left.abort();
      await frames.return(undefined);
    },
  });
  return new Response(body.pipeThrough(new TextEncoderStream()), {
    headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-cache', 'x-accel-buffering': 'no' },
  });
}

function unlessBug(error: unknown): IteratorReturnResult<void> {
  if (problemOf(error).problem.code === 'bug') throw error;
  return { done: true, value: undefined };
}
