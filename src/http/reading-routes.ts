import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import { ChangeView, changeView, noChangeText } from '../app/views/change-view.ts';
import { ConversationView, readConversation } from '../app/views/conversation-view.ts';
import { noReportText, reportView, ReportView } from '../app/views/report-view.ts';
import { readRunView } from '../app/views/read-run-view.ts';
import { RunSpan } from '../app/views/run-spans.ts';
import { RunSteps } from '../app/views/run-steps.ts';
import { RunView } from '../app/views/run-parts-view.ts';
import { answers, type ApiEnv } from './api-app.ts';
import type { ApiHost } from './api-host.ts';
import { KeptListing } from './listing-cache.ts';
import { ListedView } from './list-view.ts';
import { HttpProblem } from './problem.ts';
import { MAX_NAME_CHARS, RunName, runOf } from './run-name.ts';
import type { Tracers } from './tracers.ts';

const MAX_LISTED = 10_000;
const whole = z.coerce.number().int().nonnegative();

const list = createRoute({
  method: 'get',
  path: '/api/runs',
  summary: 'The runs of the log, newest first. Attempts are part of the run they belong to.',
  request: {
    query: z.object({ limit: whole.max(MAX_LISTED).default(100), before: z.string().max(MAX_NAME_CHARS).optional() }),
  },
  responses: answers(
    z.object({ runs: z.array(ListedView), more: z.int().nonnegative() }),
    'The runs, of those that are older than `before`, and how many older ones there are.',
  ),
});

const show = createRoute({
  method: 'get',
  path: '/api/runs/{run}',
  summary: 'A run on one page: its ending and why, the evidence, its rounds, what it used, what it asks.',
  request: { params: RunName },
  responses: answers(RunView, 'The run.'),
});

const steps = createRoute({
  method: 'get',
  path: '/api/runs/{run}/steps',
  summary: 'Every version of a run in one line, with its state and what was spent until then.',
  request: { params: RunName, query: z.object({ from: whole.default(1) }) },
  responses: answers(RunSteps, 'The versions.'),
});

const spans = createRoute({
  method: 'get',
  path: '/api/runs/{run}/spans',
  summary: 'The effects of a run and of the runs below it on one clock.',
  request: { params: RunName },
  responses: answers(z.array(RunSpan), 'The effects.'),
});

const conversation = createRoute({
  method: 'get',
  path: '/api/runs/{run}/conversation',
  summary: 'What a run and its model have said to each other.',
  request: { params: RunName },
  responses: answers(ConversationView, 'The conversation.'),
});

const diff = createRoute({
  method: 'get',
  path: '/api/runs/{run}/diff',
  summary: 'What a run has changed, in all or in one round.',
  request: { params: RunName, query: z.object({ round: whole.optional() }) },
  responses: answers(ChangeView, 'The change.'),
});

const report = createRoute({
  method: 'get',
  path: '/api/runs/{run}/report',
  summary: 'The report on a whole run, where its loop has one: of an improvement loop, each candidate.',
  request: { params: RunName },
  responses: answers(ReportView, 'The report.'),
});

/** The routes by the names that a client has for them. */
export const readingEndpoints = { runs: list, run: show, steps, spans, conversation, diff, report };

/** Routes that read runs. */
export function addReadingRoutes(app: OpenAPIHono<ApiEnv>, { loops }: ApiHost, tracers: Tracers): void {
  const { log } = loops;
  const listing = new KeptListing(loops);

  app.openapi(list, async (c) => {
    const { limit, before } = c.req.valid('query');
    const { runs, more } = await log.newest(limit, before);
    return c.json({ runs: await listing.of(runs), more }, 200);
  });

  app.openapi(show, async (c) => {
    const record = await runOf(log, c.req.valid('param').run);
    await tracers.assertIntact(record);
    const view = await readRunView(loops, record);
    if (!view) throw new HttpProblem(409, 'unreadable', `the start of run ${record.run} cannot be read here`);
    return c.json(view, 200);
  });

  app.openapi(steps, async (c) => {
    const { run } = await runOf(log, c.req.valid('param').run);
    const tracer = await tracers.of(run);
    return c.json(tracer.steps(c.req.valid('query').from), 200);
  });

  app.openapi(spans, async (c) => {
    const { run } = await runOf(log, c.req.valid('param').run);
    const tracer = await tracers.of(run);
    return c.json([...(await tracer.spans())], 200);
  });

  app.openapi(conversation, async (c) => {
    const { run } = await runOf(log, c.req.valid('param').run);
    return c.json(await readConversation(loops, run), 200);
  });

  app.openapi(report, async (c) => {
    const { run } = await runOf(log, c.req.valid('param').run);
    const read = await loops.report(run);
    if (read.kind !== 'report') throw new HttpProblem(409, read.kind, noReportText(read));
    return c.json(reportView(read), 200);
  });

  app.openapi(diff, async (c) => {
    const { run } = await runOf(log, c.req.valid('param').run);
    const { round } = c.req.valid('query');
    const change = await loops.diff(run, round === undefined ? {} : { round });
    if (change.kind !== 'change') throw new HttpProblem(409, change.kind, noChangeText(change));
    return c.json(await changeView(change), 200);
  });
}
