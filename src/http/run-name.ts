import { z } from '@hono/zod-openapi';
import { runsNamed } from '../app/views/run-named.ts';
import type { Log } from '../log/log.ts';
import type { RunRecord } from '../log/event-store.ts';
import { HttpProblem } from './problem.ts';

/** Of the name of a run in a request. */
export const MAX_NAME_CHARS = 100;

/** The run of a path: its id, or 4 or more characters that it begins or ends with. */
export const RunName = z.object({
  run: z
    .string()
    .min(1)
    .max(MAX_NAME_CHARS)
    .openapi({ param: { name: 'run', in: 'path' }, example: 'd192ec9c' }),
});

/** The run that a path names. Throws an `HttpProblem`. */
export async function runOf(log: Log, name: string): Promise<RunRecord> {
  const [only, ...more] = await runsNamed(log, name);
  if (!only) throw new HttpProblem(404, 'unknown_run', `the log has no run ${name}`);
  if (more.length > 0) throw new HttpProblem(409, 'several_runs', `${name} can mean ${more.length + 1} runs`);
  return only;
}
