import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import { chartLayout, ChartLayout } from '../app/views/chart-layout.ts';
import { lifeOf } from '../kernel/fold.ts';
import { svg } from '../charts/svg.ts';
import { readTrace } from '../projections/read-trace.ts';
import { rebuild } from '../runtime/load-run.ts';
import { notFoldedSentence } from '../runtime/unfoldable.ts';
import { answers, type ApiEnv } from './api-app.ts';
import type { ApiHost } from './api-host.ts';
import { HttpProblem } from './problem.ts';
import { RunName, runOf } from './run-name.ts';

const version = z.coerce.number().int().positive().optional();
const depth = z.coerce.number().int().positive().max(9).optional();

/** The state of a run at one version, folded from its log. */
const StateView = z.object({
  run: z.string(),
  machine: z.string(),
  version: z.int().positive(),
  at: z.string(),
  status: z.string(),
  paused: z.boolean(),
  value: z.unknown(),
  context: z.record(z.string(), z.unknown()),
  outstanding: z.array(z.object({ effect: z.string(), actor: z.string(), attempt: z.int().positive() })),
});
export type StateView = z.infer<typeof StateView>;

const state = createRoute({
  method: 'get',
  path: '/api/runs/{run}/state',
  summary: 'The state of a run at any version, folded from its log.',
  request: { params: RunName, query: z.object({ at: version }) },
  responses: answers(StateView, 'The state.'),
});

const layout = createRoute({
  method: 'get',
  path: '/api/runs/{run}/chart',
  summary: 'The chart of the machine that folds a run, with a place for everything on it.',
  request: { params: RunName, query: z.object({ depth }) },
  responses: answers(ChartLayout, 'The chart.'),
});

const drawing = createRoute({
  method: 'get',
  path: '/api/runs/{run}/chart.svg',
  summary: 'The same as a picture, with the path of the run up to a version.',
  request: { params: RunName, query: z.object({ at: version, depth }) },
  responses: { 200: { description: 'The picture.', content: { 'image/svg+xml': { schema: z.string() } } } },
});

/** The routes by the names that a client has for them. */
export const stateEndpoints = { state, chart: layout };

/** Routes about the state of a run at any version. */
export function addStateRoutes(app: OpenAPIHono<ApiEnv>, { loops }: ApiHost): void {
  const { log, definitions } = loops;

  app.openapi(state, async (c) => {
    const { run } = await runOf(log, c.req.valid('param').run);
    const at = c.req.valid('query').at;
    const { entry, snapshot, paused, outstanding, ...now } = await stateAt(run, at);
    const view: StateView = {
      run,
      machine: entry.id,
      version: now.version,
      at: now.at,
      status: String(snapshot.status),
      paused,
      value: asJson(snapshot.value),
      context: asJson(lifeOf({ entry, snapshot, paused, outstanding, ...now })) as StateView['context'],
      outstanding: outstanding.map(({ effect, actor, attempt }) => ({ effect, actor, attempt })),
    };
    return c.json(view as never, 200);
  });

  app.openapi(layout, async (c) => {
    const { run } = await runOf(log, c.req.valid('param').run);
    const { entry } = await stateAt(run, undefined);
    return c.json(await chartLayout(entry, c.req.valid('query').depth), 200);
  });

  app.openapi(drawing, async (c) => {
    const { run } = await runOf(log, c.req.valid('param').run);
    const { at, depth: levels } = c.req.valid('query');
    const read = await readTrace(log, run, at, definitions);
    if (read.kind !== 'found') throw new HttpProblem(409, read.kind, `run ${run} cannot be drawn here: ${read.kind}`);
    const { state: now, marks } = read.footprints;
    const drawn = await svg(now.entry.machine, { marks, ...(levels === undefined ? {} : { depth: levels }) });
    return c.body(drawn, 200, { 'content-type': 'image/svg+xml' }) as never;
  });

  async function stateAt(run: string, at: number | undefined) {
    const loaded = await rebuild(log, run, at, definitions);
    switch (loaded.kind) {
      case 'loaded':
        return loaded.state;
      case 'no_such_version':
        throw new HttpProblem(404, 'no_such_version', `run ${run} has the versions 1 to ${loaded.head}`);
      case 'unknown_run':
        throw new HttpProblem(404, 'unknown_run', `the log has no run ${run}`);
      default:
        throw new HttpProblem(409, loaded.kind, notFoldedSentence(loaded, run));
    }
  }
}

const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value) ?? 'null');
