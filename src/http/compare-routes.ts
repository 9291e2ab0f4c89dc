import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import { compareRuns } from '../app/views/compare-runs.ts';
import { CompareView } from '../app/views/compare-view.ts';
import type { App } from '../app/app.ts';
import type { RunRecord } from '../log/event-store.ts';
import { answers, type ApiEnv } from './api-app.ts';
import type { ApiHost } from './api-host.ts';
import { HttpProblem } from './problem.ts';
import { runOf } from './run-name.ts';
import type { Tracers } from './tracers.ts';

const MAX_RUNS = 20;
const MAX_CHARS = 2_000;

const compare = createRoute({
  method: 'get',
  path: '/api/compare',
  summary: 'Runs side by side: what they were given, where they first did something else, and what came of them.',
  request: {
    query: z.object({
      runs: z.string().max(MAX_CHARS).optional().openapi({ description: 'Two or more runs, with commas between.' }),
      of: z.string().max(MAX_CHARS).optional().openapi({ description: 'A run, whose attempts are compared.' }),
    }),
  },
  responses: answers(CompareView, 'The runs, side by side.'),
});

/** The routes by the names that a client has for them. */
export const compareEndpoints = { compare };

/** Routes that compare runs. */
export function addCompareRoutes(app: OpenAPIHono<ApiEnv>, { loops }: ApiHost, tracers: Tracers): void {
  app.openapi(compare, async (c) => {
    const { runs = '', of } = c.req.valid('query');
    const names = runs.split(',').filter(Boolean);
    const records = of === undefined ? await namedRuns(loops, names) : await attemptsOf(loops, of);
    if (records.length < 2) throw new HttpProblem(400, 'request', 'runs: expected two or more runs');
    if (records.length > MAX_RUNS) throw new HttpProblem(400, 'request', `runs: expected at most ${MAX_RUNS}`);
    for (const record of records) await tracers.assertIntact(record);
    return c.json(await compareRuns(loops, records), 200);
  });
}

const namedRuns = ({ log }: App, names: readonly string[]): Promise<readonly RunRecord[]> =>
  Promise.all(names.slice(0, MAX_RUNS + 1).map((name) => runOf(log, name)));

/** The runs that effects of a run have opened, whatever they were opened for. */
async function attemptsOf({ log }: App, name: string): Promise<readonly RunRecord[]> {
  return log.openedFrom((await runOf(log, name)).run);
}
