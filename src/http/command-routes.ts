import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import { MAX_WORDS_CHARS } from '../app/people/people.ts';
import type { CommandResult } from '../app/people/people-result.ts';
import { MIN_DIGEST_CHARS } from '../app/people/ruling.ts';
import { answers, type ApiEnv, jsonBody } from './api-app.ts';
import { type ApiHost, approverOf } from './api-host.ts';
import { HttpProblem } from './problem.ts';
import { RunName, runOf } from './run-name.ts';

const words = z.string().min(1).max(MAX_WORDS_CHARS);
const call = z.string().min(1).max(300).optional().openapi({ description: 'Which question, where several are open.' });

/** The answer to a question. */
const AnswerRequest = z.strictObject({ text: words, call });
/** A ruling. `digest`: of what the person was shown; an approval of anything else is refused. */
const RulingRequest = z.strictObject({
  call,
  reason: words.optional(),
  digest: z.string().min(MIN_DIGEST_CHARS).max(128).optional(),
  remember: z.boolean().optional().describe('Of the call of a tool: such calls are allowed for good in this run'),
});
const SteerRequest = z.strictObject({ text: words });
const AbortRequest = z.strictObject({ reason: words.optional() });

/** A command was taken: it is recorded, or left for the process that owns the run. */
const Taken = z.object({ run: z.string(), version: z.int().nonnegative().nullable() });
export type Taken = z.infer<typeof Taken>;

const command = <Schema extends z.ZodType>(verb: string, summary: string, schema: Schema) =>
  createRoute({
    method: 'post',
    path: `/api/runs/{run}/${verb}`,
    summary,
    request: { params: RunName, body: jsonBody(schema) },
    responses: answers(Taken, 'It was taken.'),
  });

const NOTHING = z.strictObject({});
const answer = command('answer', 'Answers a question of a run.', AnswerRequest);
const approve = command('approve', 'Approves what a run asks for.', RulingRequest);
const deny = command('deny', 'Denies what a run asks for.', RulingRequest);
const steer = command('steer', 'Adds to the task of a run: its model reads it before its next answer.', SteerRequest);
const pause = command('pause', 'Pauses a run, so that it can be resumed.', NOTHING);
const abort = command('abort', 'Ends a run.', AbortRequest);

/** The routes by the names that a client has for them. */
export const commandEndpoints = { answer, approve, deny, steer, pause, abort };

/** Routes by which people decide about runs, whichever process owns them. */
export function addCommandRoutes(app: OpenAPIHono<ApiEnv>, { loops }: ApiHost): void {
  const named = async (name: string) => (await runOf(loops.log, name)).run;

  app.openapi(answer, async (c) => {
    const { text, call: about } = c.req.valid('json');
    const run = await named(c.req.valid('param').run);
    return c.json(taken(await loops.answer(run, { text, ...(about === undefined ? {} : { call: about }) })), 200);
  });

  for (const [route, granted] of [
    [approve, true],
    [deny, false],
  ] as const) {
    app.openapi(route, async (c) => {
      const { call: about, reason, digest, remember } = c.req.valid('json');
      const run = await named(c.req.valid('param').run);
      const ruling = {
        granted,
        ...(about === undefined ? {} : { call: about }),
        ...(reason === undefined ? {} : { reason }),
        ...(remember === undefined ? {} : { remember }),
        // Without a digest nothing says what the person has read.
        ...(digest === undefined ? {} : { digest, ...approverOf(c.var.person) }),
      };
      return c.json(taken(await loops.grant(run, ruling)), 200);
    });
  }

  app.openapi(steer, async (c) => {
    const run = await named(c.req.valid('param').run);
    return c.json(taken(await loops.steer(run, c.req.valid('json').text)), 200);
  });

  app.openapi(pause, async (c) => c.json(taken(await loops.pause(await named(c.req.valid('param').run))), 200));

  app.openapi(abort, async (c) => {
    const run = await named(c.req.valid('param').run);
    const sent = await loops.abort(run, c.req.valid('json').reason);
    switch (sent.kind) {
      case 'unknown_run':
        throw new HttpProblem(404, 'unknown_run', `the log has no run ${run}`);
      case 'held':
      case 'rejected':
        throw new HttpProblem(409, sent.kind, sent.reason);
      case 'delivered':
        return c.json({ run, version: sent.version }, 200);
    }
  });
}

function taken(heard: CommandResult): Taken {
  switch (heard.kind) {
    case 'received':
      return { run: heard.run, version: heard.version };
    case 'unknown_run':
      throw new HttpProblem(404, 'unknown_run', `the log has no run ${heard.run}`);
    case 'refused':
      throw new HttpProblem(409, heard.because, heard.message);
  }
}
