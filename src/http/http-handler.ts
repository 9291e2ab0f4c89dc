import type { App } from '../app/app.ts';
import type { RunOptions } from '../config/options.ts';
import { DEFAULTS } from '../config/config.ts';
import type { Person } from './api-host.ts';
import { secured } from './gate.ts';
import { httpApi } from './http-api.ts';
import { HttpProblem } from './problem.ts';
import { assertAllowed, assertSameSite } from './request-rules.ts';
import { ServedRuns } from './run-service.ts';

export interface HttpHandlerOptions {
  readonly loops: App;
  /** Who sends a request, by the sign-in of the server that it is mounted in. Null: the request is refused. */
  readonly identify: (request: Request) => Person | null | Promise<Person | null>;
  /** The options of runs that are started here. A request goes before them. */
  readonly defaults?: Partial<RunOptions>;
  /** Start nothing, and take no decision of a person. */
  readonly readOnly?: boolean;
  readonly warn?: (message: string) => void;
}

/** Answers requests below `/api`. */
export interface HttpHandler {
  readonly fetch: (request: Request) => Promise<Response>;
  /** Pauses the runs that it has started, so that they can be resumed. */
  readonly stop: () => Promise<void>;
}

/**
 * The HTTP API of a log, to mount in a server of your own: a function from `Request` to `Response`. The server says who
 * a person is; everything else is refused. Bodies of requests are at most 2 MB.
 *
 * @example
 * const api = httpHandler({ loops, identify: (request) => signedIn(request) });
 * const answered = await api.fetch(new Request('http://localhost/api/runs'));
 */
export function httpHandler(options: HttpHandlerOptions): HttpHandler {
  const { loops, identify, defaults = {}, readOnly: isReadOnly = false, warn = process.emitWarning } = options;
  const said = (message: string) => warn(message);
  const kept = isReadOnly ? null : new ServedRuns(loops, said);
  const proof = { protect: [], unprotect: [], deps: DEFAULTS.deps ?? [] };
  const app = httpApi({ loops, defaults, proof, kept, isReadOnly, warn: said }, (behind) => {
    behind.use('*', secured);
    behind.use('*', async (c, next) => {
      // No page of another site can send that header.
      assertSameSite(c, c.req.header('authorization') !== undefined);
      const person = await identify(c.req.raw);
      if (!person) throw new HttpProblem(401, 'no_key', 'sign in first');
      assertAllowed(c, isReadOnly);
      c.set('person', person);
      return next();
    });
  });
  return { fetch: async (request) => app.fetch(request), stop: async () => kept?.stop() };
}
