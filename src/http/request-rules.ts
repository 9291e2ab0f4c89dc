import type { Context } from 'hono';
import { HttpProblem } from './problem.ts';

/** The largest body of a request, in bytes. */
export const MAX_BODY_BYTES = 2_097_152;

const READS: ReadonlySet<string> = new Set(['GET', 'HEAD']);
/** `none`: typed into a browser. */
const OWN_SITES: ReadonlySet<string> = new Set(['same-origin', 'none']);
/** Posted, and nothing is decided or started by it. */
const ASKS = /^\/api\/(preview|lab|runs\/[^/]+\/redecide)$/;

/** A browser says where a request comes from; a program with a token of its own does not. */
export function assertSameSite(c: Context, hasToken: boolean): void {
  const origin = c.req.header('origin');
  const site = c.req.header('sec-fetch-site');
  const host = c.req.header('host') ?? new URL(c.req.url).host;
  if (origin === `http://${host}` || origin === `https://${host}`) return;
  if (origin !== undefined) throw new HttpProblem(403, 'other_origin', 'the request comes from another site');
  // Pages of other ports of this machine count as the same site, and their requests have the cookie.
  if (c.req.path.startsWith('/api/') && site !== undefined && !OWN_SITES.has(site))
    throw new HttpProblem(403, 'other_origin', 'the request comes from another page');
  if (READS.has(c.req.method) || hasToken) return;
  if (site !== 'same-origin') throw new HttpProblem(403, 'no_origin', 'the request does not say where it comes from');
}

/** Refuses what decides or starts something where the server only reads, and bodies that are too large. */
export function assertAllowed(c: Context, isReadOnly: boolean): void {
  if (isReadOnly && !READS.has(c.req.method) && !ASKS.test(c.req.path))
    throw new HttpProblem(403, 'read_only', 'this server only reads');
  const length = Number(c.req.header('content-length') ?? 0);
  if (length > MAX_BODY_BYTES) throw new HttpProblem(413, 'too_large', `expected at most ${MAX_BODY_BYTES} bytes`);
}
