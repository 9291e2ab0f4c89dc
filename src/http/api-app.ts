import { OpenAPIHono } from '@hono/zod-openapi';
import type { z } from 'zod';
import type { ApiVariables } from './api-host.ts';
import { HttpProblem, Problem, problemOf } from './problem.ts';

/** What every route runs in. */
export interface ApiEnv {
  Variables: ApiVariables;
}

/** An app whose invalid requests are refused with a `Problem`. */
export const apiApp = (): OpenAPIHono<ApiEnv> =>
  new OpenAPIHono<ApiEnv>({
    defaultHook: (result) => {
      if (result.success) return;
      const [first] = result.error.issues;
      const field = first?.path.join('.') ?? '';
      throw new HttpProblem(400, 'request', `${field === '' ? result.target : field}: ${first?.message ?? 'invalid'}`);
    },
  });

/** The answer of a route as JSON, with the problems that any route may have. */
export const answers = <Schema extends z.ZodType>(schema: Schema, description: string) => ({
  200: { description, content: { 'application/json': { schema } } },
  default: { description: 'Why it was refused.', content: { 'application/json': { schema: Problem } } },
});

/** A request body of JSON. */
export const jsonBody = <Schema extends z.ZodType>(schema: Schema) => ({
  required: true,
  content: { 'application/json': { schema } },
});

/** Answers every thrown value with a `Problem`, and tells the host of bugs. */
export function withProblems(app: OpenAPIHono<ApiEnv>, warn: (message: string) => void): void {
  app.onError((error, c) => {
    const { status, problem } = problemOf(error);
    if (problem.code === 'bug') warn(error instanceof Error ? (error.stack ?? error.message) : String(error));
    return c.json(problem, status);
  });
  app.notFound((c) => c.json({ code: 'unknown_path', message: `there is nothing at ${c.req.path}` }, 404));
}
