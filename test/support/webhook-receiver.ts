import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** What a receiver does with one request: a status, no answer at all, or the end of the connection. */
export type Reply = number | 'hang' | 'reset';

export interface Received {
  readonly path: string;
  readonly id: string;
  readonly timestamp: string;
  readonly signature: string | null;
  readonly body: string;
  readonly reply: Reply;
}

/** A real server on loopback that notes each request, and replies as it is told to. */
export async function receiver(replyTo: (request: Omit<Received, 'reply'>, count: number) => Reply = () => 204) {
  const received: Received[] = [];
  const waiting = new Set<() => void>();
  const hanging: ServerResponse[] = [];
  const server = createServer(async (request, response) => {
    const body = await textOf(request);
    const header = (name: string) => request.headers[name]?.toString() ?? null;
    const noted = {
      path: request.url ?? '',
      id: header('webhook-id') ?? '',
      timestamp: header('webhook-timestamp') ?? '',
      signature: header('webhook-signature'),
      body,
    };
    const reply = replyTo(noted, received.length);
    received.push({ ...noted, reply });
    for (const wake of waiting) wake();
    if (reply === 'hang') hanging.push(response);
    else answer(response, reply);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  onTestFinished(async () => {
    if (server.listening) await close();
  });
  return {
    url: `http://127.0.0.1:${port}/hook`,
    port,
    received,
    close,
    /** Those that were taken, each once, in the order of their arrival. */
    taken: () => [...new Map(received.filter(({ reply }) => reply === 204).map((one) => [one.id, one])).values()],
    /** Answers the requests that hang. */
    answerHanging: (status: number) => {
      for (const response of hanging.splice(0)) answer(response, status);
    },
    /** Waits until there are so many requests. */
    until: async (count: number) => {
      while (received.length < count) await new Promise<void>((resolve) => waiting.add(resolve));
    },
  };
}

function answer(response: ServerResponse, reply: Exclude<Reply, 'hang'>): void {
  if (reply === 'reset') response.destroy();
  else response.writeHead(reply, reply >= 300 && reply < 400 ? { location: '?moved' } : {}).end();
}

async function textOf(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString('utf8');
}

/** Verifies a signature as a receiver does, by another implementation of HMAC. */
export async function isSigned({ id, timestamp, signature, body }: Received, key: Uint8Array): Promise<boolean> {
  const [version, encoded = ''] = (signature ?? '').split(',');
  const imported = await crypto.subtle.importKey(
    'raw',
    Uint8Array.from(key),
    { name: 'HMAC', hash: 'SHA-256' },
    false,
    ['verify'],
  );
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${body}`);
  return (
    version === 'v1' &&
    (await crypto.subtle.verify('HMAC', imported, Uint8Array.from(Buffer.from(encoded, 'base64')), signed))
  );
}
