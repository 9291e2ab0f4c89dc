import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { answers, type ApiEnv } from './api-app.ts';
import type { ApiHost } from './api-host.ts';
import { LogFeed } from './log-feed.ts';
import { HttpProblem } from './problem.ts';
import { RunName, runOf } from './run-name.ts';
import { RunTails } from './run-tails.ts';
import { eventStream } from './event-message.ts';

const MAX_PAGE = 1_000;
const whole = z.coerce.number().int().nonnegative();
const From = z.object({ offset: whole.optional().openapi({ description: 'The version after which it begins.' }) });
const LastEventId = z.object({ 'last-event-id': z.string().max(20).optional() });
const streamed = (description: string) => ({
  200: { description, content: { 'text/event-stream': { schema: z.string() } } },
});

/** An event as it was recorded. */
export const EnvelopeView = z.looseObject({
  run: z.string(),
  version: z.int().positive(),
  at: z.string(),
  type: z.string(),
  schema: z.int(),
  payload: z.unknown(),
});

export const events = createRoute({
  method: 'get',
  path: '/api/runs/{run}/events',
  summary: 'The events of a run as Server-Sent Events, until it is over. The id of each is its version.',
  request: { params: RunName, query: From, headers: LastEventId },
  responses: streamed('An event of the stream for each event of the run.'),
});

const page = createRoute({
  method: 'get',
  path: '/api/runs/{run}/events.json',
  summary: 'Some events of a run as they were recorded.',
  request: {
    params: RunName,
    query: From.extend({ limit: whole.min(1).max(MAX_PAGE).default(100) }),
  },
  responses: answers(z.array(EnvelopeView), 'The events.'),
});

export const feed = createRoute({
  method: 'get',
  path: '/api/feed',
  summary: 'Which runs of the log have recorded something, as Server-Sent Events. The id is a position of the log.',
  request: { query: From, headers: LastEventId },
  responses: streamed('An event for each change.'),
});

/** What the feed says: a position of the log, and the trees that have recorded something until then. */
export const FeedView = z.object({ position: whole, trees: z.array(z.string()) });

/** The routes by the names that a client has for them. */
export const eventEndpoints = { eventPage: page };

/** Routes that follow runs and the log. */
export function addEventRoutes(app: OpenAPIHono<ApiEnv>, { loops: { log } }: ApiHost): void {
  const tails = new RunTails(log);
  const all = new LogFeed(log);

  app.openapi(events, async (c) => {
    const { run } = await runOf(log, c.req.valid('param').run);
    const after = afterOf(c, c.req.valid('query').offset) ?? 0;
    return eventStream((signal) => tails.follow(run, after + 1, signal)) as never;
  });

  app.openapi(page, async (c) => {
    const { run } = await runOf(log, c.req.valid('param').run);
    const { offset = 0, limit } = c.req.valid('query');
    const found: unknown[] = [];
    for await (const envelope of log.read(run, { from: offset + 1, to: offset + limit })) found.push(envelope);
    return c.json(found as never, 200);
  });

  app.openapi(feed, (c) => {
    const since = afterOf(c, c.req.valid('query').offset);
    return eventStream((signal) => all.follow(since, signal)) as never;
  });
}

/** A browser that connects again says what it has seen last. */
function afterOf(c: Context<ApiEnv>, offset: number | undefined): number | null {
  const last = c.req.header('last-event-id');
  if (last === undefined || last === '') return offset ?? null;
  if (!/^\d{1,15}$/.test(last)) throw new HttpProblem(400, 'request', 'Last-Event-ID: expected a whole number');
  return Number(last);
}
