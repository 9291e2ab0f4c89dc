import type { OpenAPIHono } from '@hono/zod-openapi';
import type { ApiEnv } from './api-app.ts';
import type { ApiHost } from './api-host.ts';
import { addCommandRoutes } from './command-routes.ts';
import { addCompareRoutes } from './compare-routes.ts';
import { addEventRoutes } from './event-routes.ts';
import { addInboxRoutes } from './inbox-routes.ts';
import { addJudgingRoutes } from './judgement-routes.ts';
import { addLabRoutes } from './lab-routes.ts';
import { addReadingRoutes } from './reading-routes.ts';
import { addStartingRoutes } from './start-routes.ts';
import { addStateRoutes } from './state-routes.ts';
import { addStreamRoutes } from './stream-routes.ts';
import { Tracers } from './tracers.ts';

/** Adds every route of the API, by what they are about. */
export function addApiRoutes(app: OpenAPIHono<ApiEnv>, host: ApiHost): void {
  const tracers = new Tracers(host.loops);
  addReadingRoutes(app, host, tracers);
  addStateRoutes(app, host);
  addEventRoutes(app, host);
  addStreamRoutes(app, host);
  addInboxRoutes(app, host);
  addCommandRoutes(app, host);
  addStartingRoutes(app, host);
  addJudgingRoutes(app, host);
  addCompareRoutes(app, host, tracers);
  addLabRoutes(app, host, tracers);
}
