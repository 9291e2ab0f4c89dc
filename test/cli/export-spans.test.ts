import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { MODEL, project } from './program.ts';
import { loopfold } from './warm-process.ts';

const write = { calls: [{ tool: 'write', arguments: { path: 'n.txt', content: '1' } }] };

interface Request {
  readonly resourceSpans: readonly { scopeSpans: readonly { spans: readonly { spanId: string }[] }[] }[];
}

/** A collector, and the spans that it was sent. */
async function collector() {
  const spans = new Map<string, unknown>();
  const paths: string[] = [];
  const server = createServer((request, answer) => {
    let body = '';
    request.on('data', (piece: Buffer) => (body += piece.toString()));
    request.on('end', () => {
      paths.push(`${request.method} ${request.url} ${request.headers['x-team']}`);
      const { resourceSpans } = JSON.parse(body) as Request;
      for (const { scopeSpans } of resourceSpans)
        for (const span of scopeSpans.flatMap(({ spans }) => spans)) spans.set(span.spanId, span);
      answer.setHeader('content-type', 'application/json').end('{"partialSuccess":{}}');
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close().closeAllConnections());
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, spans, paths };
}

test('W4 a run tells a collector while it works what an export tells afterwards', async () => {
  const { address, spans, paths } = await collector();
  const cwd = await project({ answers: [write, { text: 'wrote it' }] });
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: address, OTEL_EXPORTER_OTLP_HEADERS: 'x-team=ours' };
  const run = await loopfold(['run', 'write one', ...MODEL, '--verify', 'L1:grep 1 n.txt', '--accept', 'weak'], {
    cwd,
    env,
  });
  expect([run.status, run.stderr]).toEqual([0, expect.not.stringContaining('not sent')]);
  expect(paths).toContain('POST /v1/traces ours');
  const { stdout } = await loopfold(['export', '--last', '--as', 'otlp'], { cwd });
  const exported = (JSON.parse(stdout) as Request).resourceSpans[0]?.scopeSpans[0]?.spans ?? [];
  expect(exported.length).toBeGreaterThan(4);
  expect([...spans.values()].toSorted(byId)).toEqual([...exported].toSorted(byId));
  const before = new Map(spans);
  const sent = await loopfold(['export', '--last', '--otlp', address], { cwd });
  expect([sent.status, sent.stderr]).toEqual([0, expect.stringContaining(`${exported.length} spans sent`)]);
  expect(spans).toEqual(before);
});

const byId = (one: unknown, other: unknown): number =>
  (one as { spanId: string }).spanId.localeCompare((other as { spanId: string }).spanId);

test('W4 a collector that is gone holds no run up, and what was not sent is said', async () => {
  const cwd = await project({ answers: [{ text: 'done' }] });
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' };
  const { status, stderr } = await loopfold(['run', 'say so', ...MODEL, '--loop', 'turn'], { cwd, env });
  expect([status, stderr]).toEqual([
    0,
    expect.stringMatching(/spans were not sent to 127\.0\.0\.1:9.*export \w+ --otlp/),
  ]);
  const gone = await loopfold(['export', '--last', '--otlp', 'http://127.0.0.1:9'], { cwd });
  expect([gone.status, gone.stderr]).toEqual([5, expect.stringContaining('took 0 of')]);
  expect((await loopfold(['export', '--last', '--otlp', 'nowhere'], { cwd })).status).toBe(2);
});
