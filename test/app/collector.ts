import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

interface Request {
  readonly resourceSpans: readonly { scopeSpans: readonly { spans: readonly { spanId: string }[] }[] }[];
}

/** A collector of spans, which answers as a test says; at first, it takes them. */
export async function collector(first: (answer: ServerResponse) => void = takes) {
  const spans = new Map<string, string>();
  const asked: { readonly at: number; readonly line: string }[] = [];
  let answering = first;
  const server = createServer((request, answer) => {
    let body = '';
    request.on('data', (piece: Buffer) => (body += piece.toString()));
    request.on('end', () => {
      asked.push({ at: Date.now(), line: `${request.method} ${request.url} ${request.headers['x-team']}` });
      answering(answer);
      if (answer.statusCode !== 200) return;
      for (const { scopeSpans } of (JSON.parse(body) as Request).resourceSpans)
        for (const span of scopeSpans.flatMap((one) => one.spans)) spans.set(span.spanId, JSON.stringify(span));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close().closeAllConnections());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/traces`;
  return { to: { url, headers: {} }, spans, asked, answers: (how: typeof first) => (answering = how) };
}

export const takes = (answer: ServerResponse): void => void answer.end('{"partialSuccess":{}}');
/** Refuses for now, and says after how many seconds it may be asked again. */
export const busyFor =
  (seconds: number) =>
  (answer: ServerResponse): void =>
    void answer.writeHead(503, { 'retry-after': `${seconds}` }).end();
