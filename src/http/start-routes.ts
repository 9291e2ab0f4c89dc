import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import { PreviewView, previewView } from '../app/views/preview-view.ts';
import type { LiveRun, WithLiveRun } from '../app/running/live-runs.ts';
import { answers, type ApiEnv, jsonBody } from './api-app.ts';
import type { ApiHost } from './api-host.ts';
import { ChangeRequest } from './change-request.ts';
import { HttpProblem } from './problem.ts';
import { RunName, runOf } from './run-name.ts';
import { optionsOf, StartRequest } from './start-request.ts';

/** A run that works in the process of the server. */
const StartedView = z.object({ run: z.string(), warnings: z.array(z.string()) });
export type StartedView = z.infer<typeof StartedView>;

const start = createRoute({
  method: 'post',
  path: '/api/runs',
  summary: 'Starts a run in the process of the server, and answers at once.',
  request: { body: jsonBody(StartRequest) },
  responses: answers(StartedView, 'It has started.'),
});

const preview = createRoute({
  method: 'post',
  path: '/api/preview',
  summary: 'What such a run would begin with. Nothing is sent, recorded or checked.',
  request: { body: jsonBody(StartRequest) },
  responses: answers(PreviewView, 'What it would begin with.'),
});

const resume = createRoute({
  method: 'post',
  path: '/api/runs/{run}/resume',
  summary: 'Lets a run go on where its log ends, in the process of the server.',
  request: {
    params: RunName,
    body: jsonBody(z.strictObject({ takeOver: z.boolean().default(false) })),
  },
  responses: answers(StartedView, 'It goes on.'),
});

const extend = createRoute({
  method: 'post',
  path: '/api/runs/{run}/extend',
  summary: 'Continues a run that did not succeed, as a new run with other limits, strategy or detectors.',
  request: { params: RunName, body: jsonBody(ChangeRequest) },
  responses: answers(StartedView, 'The new run.'),
});

/** The routes by the names that a client has for them. */
export const startingEndpoints = { start, preview, resume, extend };

/** Routes that let runs work in the process of the server. */
export function addStartingRoutes(app: OpenAPIHono<ApiEnv>, { loops, kept, defaults }: ApiHost): void {
  app.openapi(preview, async (c) =>
    c.json(previewView(await loops.preview(optionsOf(c.req.valid('json'), defaults))), 200),
  );

  app.openapi(start, async (c) => {
    assertStarts();
    const options = optionsOf(c.req.valid('json'), defaults);
    await loops.check(options);
    return c.json(begun(await loops.start(options)), 200);
  });

  app.openapi(resume, async (c) => {
    assertStarts();
    const { root } = await runOf(loops.log, c.req.valid('param').run);
    const { takeOver } = c.req.valid('json');
    return c.json(begun(liveOf(await loops.resume(root, undefined, { takeOver }))), 200);
  });

  app.openapi(extend, async (c) => {
    assertStarts();
    const { run } = await runOf(loops.log, c.req.valid('param').run);
    return c.json(begun(liveOf(await loops.extend(run, c.req.valid('json')))), 200);
  });

  function assertStarts(): void {
    if (!kept) throw new HttpProblem(403, 'read_only', 'this server starts nothing');
  }

  function begun(live: LiveRun): StartedView {
    const { run, warnings } = live;
    // Its end is in the log: a request does not wait for it.
    kept?.keep(live);
    return { run, warnings: [...warnings] };
  }
}

/** A run that works now, or the reason why it does not. */
function liveOf(result: WithLiveRun<{ readonly kind: string }>): LiveRun {
  if (result.kind === 'live' && 'live' in result) return result.live as LiveRun;
  const { kind } = result;
  const because = 'because' in result ? `: ${String(result.because)}` : '';
  throw new HttpProblem(kind === 'unknown_run' ? 404 : 409, kind, `${REFUSED[kind] ?? kind}${because}`);
}

const REFUSED: { readonly [kind: string]: string } = {
  unknown_run: 'the log has no such run',
  unknown_machine: 'the loop of this run is not known to the server',
  unreadable: 'the run cannot be read here',
  not_migrated: 'the run stays with the version of the machine that wrote it',
  held: 'another process has the run',
  over: 'the run has ended',
  still_open: 'the run has not ended: it can be resumed',
  succeeded: 'the run has succeeded',
  is_child: 'the run is part of another one: that one can be continued',
  not_raised: 'a limit is used up already: raise it',
};
