import type { OpenAPIHono } from '@hono/zod-openapi';
import { bodyLimit } from 'hono/body-limit';
import { VERSION } from '../log/program-version.ts';
import { apiApp, type ApiEnv, withProblems } from './api-app.ts';
import type { ApiHost } from './api-host.ts';
import { addApiRoutes } from './api-routes.ts';
import { HttpProblem } from './problem.ts';
import { MAX_BODY_BYTES } from './request-rules.ts';

const ABOUT = {
  openapi: '3.1.0',
  info: {
    title: 'loopfold',
    version: VERSION,
    description: 'Runs of AI agent loops: to read at any version, to follow, to start, to steer and to answer.',
  },
} as const;

/** The routes of the API below `/api`. `before`: what every request goes through first. */
export function httpApi(host: ApiHost, before: (app: OpenAPIHono<ApiEnv>) => void): OpenAPIHono<ApiEnv> {
  const app = apiApp();
  withProblems(app, host.warn);
  before(app);
  app.use('/api/*', bodyLimit({ maxSize: MAX_BODY_BYTES, onError: tooLarge }));
  addApiRoutes(app, host);
  app.doc31('/api/openapi.json', ABOUT);
  return app;
}

function tooLarge(): never {
  throw new HttpProblem(413, 'too_large', `expected at most ${MAX_BODY_BYTES} bytes`);
}
