import { request } from 'node:http';
import { expect, test } from 'vitest';
import { type Asking, served } from './served.ts';

const SCRIPT = { answers: [{ text: 'done' }] };
const entered = (response: Response) => response.headers.get('set-cookie')?.split(';', 1)[0] ?? '';

test('W1 the token of an address lets one browser in, once, and is in no later address', async () => {
  const { server, base } = await served(SCRIPT);
  const address = server.address();
  const first = await fetch(address, { redirect: 'manual' });
  const cookie = entered(first);
  expect([first.status, first.headers.get('location')]).toEqual([303, '/']);
  expect(first.headers.get('set-cookie')).toMatch(/; HttpOnly; SameSite=Strict$/);
  expect((await fetch(`${base}/api/runs`, { headers: { cookie } })).status).toBe(200);

  const second = await fetch(address, { redirect: 'manual' });
  expect([second.status, await second.json()]).toEqual([403, expect.objectContaining({ code: 'used' })]);
  expect(entered(second)).toBe('');
});

test('W1 a cookie of another server, or of another port, opens nothing', async () => {
  const [one, other] = [await served(SCRIPT), await served(SCRIPT)];
  const cookie = entered(await fetch(one.server.address(), { redirect: 'manual' }));
  const [, value = ''] = /=(.*)$/.exec(cookie) ?? [];
  const renamed = `loopfold-${other.server.port}=${value}`;
  const asked = await Promise.all(
    [cookie, renamed, ''].map((sent) => fetch(`${other.base}/api/runs`, { headers: { cookie: sent } })),
  );
  expect(asked.map(({ status }) => status)).toEqual([401, 401, 401]);
});

test.each<[what: string, path: string, how: Asking, status: number, code: string]>([
  ['without a key', '/api/runs', { headers: { authorization: '' } }, 401, 'no_key'],
  ['with a wrong token', '/api/runs', { headers: { authorization: 'Bearer no' } }, 401, 'no_key'],
  ['from another site', '/api/runs', { headers: { origin: 'https://evil.example' } }, 403, 'other_origin'],
  ['from a page of another port', '/api/runs', { headers: { 'sec-fetch-site': 'same-site' } }, 403, 'other_origin'],
  ['with a huge body', '/api/runs', { method: 'POST', body: `"${'a'.repeat(2_097_152)}"` }, 413, 'too_large'],
  ['with a body of another shape', '/api/runs', { method: 'POST', body: { prompt: 1 } }, 400, 'request'],
  ['about an unknown run', '/api/runs/abcdef', {}, 404, 'unknown_run'],
  ['with an odd version', '/api/runs/abcd/state?at=0', {}, 400, 'request'],
])('W1 a request %s is refused with the reason', async (_what, path, how, status, code) => {
  const { ask } = await served(SCRIPT);
  const response = await ask(path, how);
  expect([response.status, await response.json()]).toEqual([status, expect.objectContaining({ code })]);
  expect(response.headers.get('content-security-policy')).toMatch(/^default-src 'self'/);
  expect(response.headers.get('access-control-allow-origin')).toBeNull();
});

test('W1 a name that leads to this machine is no name of the server', async () => {
  const { server } = await served(SCRIPT);
  const { promise, resolve } = Promise.withResolvers<number | undefined>();
  // `fetch` lets no caller name another host.
  request({ port: server.port, path: '/api/runs', headers: { host: `evil.example:${server.port}` } }, (response) => {
    response.resume();
    resolve(response.statusCode);
  }).end();
  expect(await promise).toBe(421);
});

test('W1 a command with a cookie has to say that it comes from the page itself', async () => {
  const { server, base, log } = await served(SCRIPT);
  const cookie = entered(await fetch(server.address(), { redirect: 'manual' }));
  const post = (headers: Record<string, string>) =>
    fetch(`${base}/api/runs`, {
      method: 'POST',
      body: JSON.stringify({ prompt: 'Say it.' }),
      headers: { cookie, 'content-type': 'application/json', ...headers },
    });
  expect((await post({})).status).toBe(403);
  expect((await post({ origin: 'null' })).status).toBe(403);
  expect(await log.runs()).toEqual([]);
  expect((await post({ origin: base })).status).toBe(200);
});

test('W1 a server that only reads refuses every request that would start or decide something', async () => {
  const { get, post, log } = await served(SCRIPT, { isReadOnly: true });
  const { paths } = await get('/api/openapi.json');
  const posted = Object.entries(paths).flatMap(([path, methods]) => ('post' in methods ? [path] : []));
  expect(posted.length).toBeGreaterThanOrEqual(12);
  for (const path of posted) {
    const { status } = await post(path.replace('{run}', 'abcdef'));
    const isAsked = ['/redecide', '/preview', '/lab'].some((end) => path.endsWith(end));
    expect([path, status]).toEqual([path, isAsked ? expect.toSatisfy((one) => one !== 403) : 403]);
  }
  expect(await log.runs()).toEqual([]);
});

test('W1 requests without a key are few, and those with one go on', async () => {
  const { ask } = await served(SCRIPT);
  const strangers = await Promise.all(
    Array.from({ length: 60 }, () => ask('/api/runs', { headers: { authorization: '' } })),
  );
  expect(new Set(strangers.map(({ status }) => status))).toEqual(new Set([401, 429]));
  expect((await ask('/api/runs')).status).toBe(200);
});
