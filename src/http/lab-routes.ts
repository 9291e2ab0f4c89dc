import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import { judgeRuns } from '../app/views/judge-runs.ts';
import type { LabLine } from '../app/views/lab-view.ts';
import type { ApiEnv } from './api-app.ts';
import { jsonBody } from './api-app.ts';
import type { ApiHost } from './api-host.ts';
import { ChangeRequest } from './change-request.ts';
import { runOf } from './run-name.ts';
import { eventStream, sentEvent, type SentEvent } from './event-message.ts';
import type { Tracers } from './tracers.ts';

const MAX_RUNS = 1_000;
const MAX_JUDGES = 8;
const MAX_NAME_CHARS = 100;

/** Judges, and the runs that they are asked about: those that are named, or the newest. */
const LabRequest = z.strictObject({
  judges: z.array(ChangeRequest).min(1).max(MAX_JUDGES),
  runs: z.array(z.string().min(1).max(MAX_NAME_CHARS)).max(MAX_RUNS).optional(),
  limit: z.int().positive().max(MAX_RUNS).default(100),
});

export const lab = createRoute({
  method: 'post',
  path: '/api/lab',
  summary: 'What other judges would have decided over many runs, as Server-Sent Events. Nothing runs.',
  request: { body: jsonBody(LabRequest) },
  responses: {
    200: {
      description: 'An event for each run and judge as soon as it is known, then one for the sum of each judge.',
      content: { 'text/event-stream': { schema: z.string() } },
    },
  },
});

/** Routes that let other judges decide over many runs. */
export function addLabRoutes(app: OpenAPIHono<ApiEnv>, { loops }: ApiHost, tracers: Tracers): void {
  app.openapi(lab, async (c) => {
    const { judges, runs: named, limit } = c.req.valid('json');
    const records = named
      ? await Promise.all(named.map((name) => runOf(loops.log, name)))
      : (await loops.log.newest(limit)).runs;
    const runs = records.map(({ run }) => run);
    const intactOf = (run: string) => tracers.intactOf(run);
    return eventStream((signal) => numbered(judgeRuns(loops, { runs, judges, intactOf, signal }))) as never;
  });
}

async function* numbered(lines: AsyncIterable<LabLine>): AsyncGenerator<SentEvent> {
  let id = 0;
  for await (const line of lines) yield sentEvent((id += 1), line);
}
