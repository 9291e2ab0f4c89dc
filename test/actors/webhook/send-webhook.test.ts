import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { sendWebhook } from '../../../src/actors/webhook/send-webhook.ts';
import { signingKey, webhookHeaders } from '../../../src/actors/webhook/webhook-signature.ts';
import { isSigned, receiver } from '../../support/webhook-receiver.ts';

const never = () => new AbortController().signal;
const request = (url: string, secret: string | null = null) => {
  const signed = { id: 'run/3', timestamp: 1_893_456_000, body: '{"status":"started"}' };
  return { url, headers: webhookHeaders(signed, secret === null ? null : signingKey(secret)), body: signed.body };
};

test('R11 a receiver can verify what it is sent, by the bytes of the secret', async () => {
  const { url, received } = await receiver();
  const encoded = Buffer.from('the secret of both').toString('base64');
  for (const secret of [`whsec_${encoded}`, 'the secret of both'])
    expect(await sendWebhook(request(url, secret), { signal: never() })).toEqual({ kind: 'delivered' });
  for (const one of received) {
    expect(one).toMatchObject({ path: '/hook', id: 'run/3', timestamp: '1893456000', body: '{"status":"started"}' });
    expect(await isSigned(one, Buffer.from('the secret of both'))).toBe(true);
    expect(await isSigned({ ...one, body: `${one.body} ` }, Buffer.from('the secret of both'))).toBe(false);
    expect(await isSigned({ ...one, id: 'run/4' }, Buffer.from('the secret of both'))).toBe(false);
    expect(await isSigned({ ...one, timestamp: '1893456001' }, Buffer.from('the secret of both'))).toBe(false);
  }
});

test('R11 the signature is the one of the standard', () => {
  // From the examples of Standard Webhooks.
  const key = signingKey('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw');
  const body = '{"test": 2432232314}';
  const headers = webhookHeaders({ id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', timestamp: 1_614_265_330, body }, key);
  expect(headers['webhook-signature']).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
});

test('R11 without a secret nothing is signed, and half a secret is refused', async () => {
  expect(request('https://one.example')).not.toHaveProperty(['headers', 'webhook-signature']);
  const short = Buffer.alloc(15, 'k').toString('base64');
  const key = Buffer.alloc(17, 'k').toString('base64');
  const refused = ['', 'whsec_', 'whsec_A', 'whsec_not base64!', `whsec_${short}`, `whsec_${key}=`, `whsec_=${key}`];
  expect(refused.map((secret) => signingKey(secret))).toEqual(refused.map(() => null));
  expect(signingKey(`whsec_${key.replace('=', '')}`)).toEqual(Buffer.alloc(17, 'k'));
});

test.each([
  [500, 'answered 500'],
  [404, 'answered 404'],
  [302, 'answered 302, a redirect, which is not followed'],
  [307, 'answered 307, a redirect, which is not followed'],
  ['reset', 'not reached (UND_ERR_SOCKET)'],
] as const)('R11 a receiver that replies %s has not got it', async (reply, error) => {
  const { url, received } = await receiver(() => reply);
  expect(await sendWebhook(request(url), { signal: never() })).toEqual({ kind: 'failed', error });
  expect(received.map(({ path }) => path)).toEqual(['/hook']);
});

test('R11 a receiver that hangs has its time, and no more', async () => {
  const { url } = await receiver(() => 'hang');
  const sent = await sendWebhook(request(url), { signal: never(), limitMs: 50 });
  expect(sent).toEqual({ kind: 'failed', error: 'no answer within 0.05 s' });
});

test('R11 a receiver that answers no HTTP is named as one', async () => {
  const server = createServer((socket) => socket.on('error', () => {}).end('garbage\r\n\r\n'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const sent = await sendWebhook(request(`http://127.0.0.1:${port}/hook`), { signal: never() });
  expect(sent).toEqual({ kind: 'failed', error: 'not reached (its answer is not HTTP)' });
  server.close();
});

test('R11 a process that stops does not wait for an answer', async () => {
  const { url, until } = await receiver(() => 'hang');
  const stop = new AbortController();
  const sending = sendWebhook(request(url), { signal: stop.signal });
  await until(1);
  stop.abort();
  expect(await sending).toEqual({ kind: 'failed', error: 'no answer before the process stopped' });
});

test('R11 an answer without an end is not read', async () => {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n');
    const more = setInterval(() => socket.write(`10000\r\n${'x'.repeat(65_536)}\r\n`), 1);
    socket.on('close', () => clearInterval(more));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  expect(await sendWebhook(request(`http://127.0.0.1:${port}`), { signal: never() })).toEqual({ kind: 'delivered' });
  await new Promise((resolve) => server.close(resolve));
});

test('R11 a failure names no secret and no query', async () => {
  const { close, url } = await receiver();
  await close();
  const sent = await sendWebhook(request(`${url}?key=hidden`, 'the secret'), { signal: never() });
  expect(sent).toEqual({ kind: 'failed', error: 'not reached (ECONNREFUSED)' });
});
