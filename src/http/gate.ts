import type { Context, MiddlewareHandler } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import type { ApiEnv } from './api-app.ts';
import type { Person } from './api-host.ts';
import type { Keys } from './keys.ts';
import { HttpProblem } from './problem.ts';
import { assertAllowed, assertSameSite } from './request-rules.ts';
import { RequestRate } from './request-rate.ts';

export interface GateOptions {
  readonly keys: Keys;
  /** The hosts that requests may name, with their ports. A page of another site that leads here names its own. */
  readonly hosts: ReadonlySet<string>;
  readonly isReadOnly: boolean;
}

/** What every answer says: no other page may read it, show it in a frame, or load anything into it. */
export const secured: MiddlewareHandler = async (c, next) => {
  await next();
  const { headers } = c.res;
  headers.set(
    'content-security-policy',
    "default-src 'self'; frame-ancestors 'none'; form-action 'self'; base-uri 'none'",
  );
  headers.set('x-content-type-options', 'nosniff');
  headers.set('referrer-policy', 'no-referrer');
  headers.set('cross-origin-opener-policy', 'same-origin');
  headers.set('cross-origin-resource-policy', 'same-origin');
  headers.set('x-frame-options', 'DENY');
  if (!headers.has('cache-control')) headers.set('cache-control', 'no-store');
};

/**
 * Lets a request through that names this server, comes from no other site, and has a key: a cookie, or a token in
 * `Authorization`.
 */
export function gate({ keys, hosts, isReadOnly }: GateOptions): MiddlewareHandler<ApiEnv> {
  const rate = new RequestRate();
  return async (c, next) => {
    assertHost(c, hosts);
    const token = c.req.query('token');
    const bearer = /^Bearer +(\S+)$/i.exec(c.req.header('authorization') ?? '')?.[1];
    const cookie = getCookie(c, keys.cookieName);
    const person = bearer === undefined ? keys.byCookie(cookie) : keys.byToken(bearer);
    if (!rate.allows(person !== null, performance.now()))
      throw new HttpProblem(429, 'too_many', 'too many requests: wait a moment');
    assertSameSite(c, bearer !== undefined);
    if (token !== undefined && c.req.method === 'GET' && c.req.path === '/') return enter(c, keys, token, person);
    if (person === null) throw new HttpProblem(401, 'no_key', NO_KEY);
    assertAllowed(c, isReadOnly);
    c.set('person', person);
    return next();
  };
}

const NO_KEY = 'open the address that loopfold has printed: it lets this browser in, once';
const USED = 'this address was used already, or is of a server that has ended; press Enter where it was printed';

function assertHost(c: Context, hosts: ReadonlySet<string>): void {
  const host = c.req.header('host') ?? '';
  if (!hosts.has(host.toLowerCase())) throw new HttpProblem(421, 'other_host', 'this server is not known by that name');
}

/** Takes the token out of the address, and gives the browser its cookie. */
function enter(c: Context, keys: Keys, token: string, person: Person | null): Response {
  const cookie = keys.redeem(token);
  if (cookie === null && person === null) throw new HttpProblem(403, 'used', USED);
  if (cookie !== null)
    setCookie(c, keys.cookieName, cookie, { httpOnly: true, sameSite: 'Strict', path: '/', secure: false });
  return c.redirect('/', 303);
}
