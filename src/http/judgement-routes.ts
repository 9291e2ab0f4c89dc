import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import { proveRun } from '../app/proof/prove-run.ts';
import { noChangeText } from '../app/views/change-view.ts';
import { proofView, ProofView } from '../app/views/proof-view.ts';
import { redecidedView, RedecidedView } from '../app/views/redecision-view.ts';
import { notFoldedSentence } from '../runtime/unfoldable.ts';
import { answers, type ApiEnv, jsonBody } from './api-app.ts';
import type { ApiHost } from './api-host.ts';
import { ChangeRequest } from './change-request.ts';
import { HttpProblem } from './problem.ts';
import { RunName, runOf } from './run-name.ts';

const redecide = createRoute({
  method: 'post',
  path: '/api/runs/{run}/redecide',
  summary: 'What other limits, another strategy or other detectors would have decided. Nothing runs.',
  request: { params: RunName, body: jsonBody(ChangeRequest) },
  responses: answers(RedecidedView, 'What would have been decided.'),
});

const prove = createRoute({
  method: 'post',
  path: '/api/runs/{run}/prove',
  summary:
    'Runs the checks of a run again on what was recorded of it, outside of its workspace. Takes as long as they.',
  request: {
    params: RunName,
    body: jsonBody(z.strictObject({ trustDependencies: z.boolean().default(false) })),
  },
  responses: answers(ProofView, 'What the checks came to.'),
});

/** The routes by the names that a client has for them. */
export const judgingEndpoints = { redecide, prove };

/** Routes that judge recorded runs again. */
export function addJudgingRoutes(app: OpenAPIHono<ApiEnv>, { loops, proof: rules, kept }: ApiHost): void {
  app.openapi(redecide, async (c) => {
    const { run } = await runOf(loops.log, c.req.valid('param').run);
    const judged = await loops.redecide(run, c.req.valid('json'), { runsNoCode: true });
    if (judged.kind === 'redecided') return c.json(redecidedView(judged.tree), 200);
    if (judged.kind === 'unknown_run') throw new HttpProblem(404, judged.kind, `the log has no run ${run}`);
    throw new HttpProblem(409, judged.kind, notFoldedSentence(judged, run));
  });

  app.openapi(prove, async (c) => {
    if (!kept) throw new HttpProblem(403, 'read_only', 'this server runs no checks');
    const { run } = await runOf(loops.log, c.req.valid('param').run);
    const { trustDependencies } = c.req.valid('json');
    const asked = { ...rules, trustsDependencies: trustDependencies, signal: c.req.raw.signal, onLeg: () => {} };
    const proof = await proveRun(loops, run, asked);
    if (proof.kind !== 'proof') throw new HttpProblem(409, proof.kind, noChangeText(proof));
    return c.json(proofView(proof), 200);
  });
}
