import { expect, test } from 'vitest';
import { collector } from '../app/collector.ts';
import { MODEL, project } from './program.ts';
import { loopfold } from './warm-process.ts';

const write = { calls: [{ tool: 'write', arguments: { path: 'n.txt', content: '1' } }] };

interface Exported {
  readonly resourceSpans: readonly { readonly scopeSpans?: readonly { readonly spans?: readonly object[] }[] }[];
}

test('W4 a run tells a collector while it works what an export tells afterwards', async () => {
  const { to, spans, asked } = await collector();
  const address = new URL(to.url).origin;
  const cwd = await project({ answers: [write, { text: 'wrote it' }] });
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: address, OTEL_EXPORTER_OTLP_HEADERS: 'x-team=ours' };
  const run = await loopfold(['run', 'write one', ...MODEL, '--verify', 'L1:grep 1 n.txt', '--accept', 'weak'], {
    cwd,
    env,
  });
  expect([run.status, run.stderr]).toEqual([0, expect.not.stringContaining('not sent')]);
  expect(asked.map(({ line }) => line)).toContain('POST /v1/traces ours');
  const { stdout } = await loopfold(['export', '--last', '--as', 'otlp'], { cwd });
  const [{ scopeSpans: [{ spans: exported = [] } = {}] = [] } = {}] = (JSON.parse(stdout) as Exported).resourceSpans;
  expect(exported.length).toBeGreaterThan(4);
  expect([...spans.values()].toSorted()).toEqual(exported.map((span) => JSON.stringify(span)).toSorted());
  const before = new Map(spans);
  const sent = await loopfold(['export', '--last', '--otlp', address], { cwd });
  expect([sent.status, sent.stderr]).toEqual([0, expect.stringContaining(`${exported.length} spans sent`)]);
  expect(spans).toEqual(before);
});

test('W4 what a collector says of the spans that it rejects reaches a terminal as text alone', async () => {
  const said = JSON.stringify({ partialSuccess: { rejectedSpans: '1', errorMessage: 'bad\u001b[31mred' } });
  const { to } = await collector((answer) => void answer.end(said));
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: new URL(to.url).origin };
  const cwd = await project({ answers: [{ text: 'done' }] });
  const { status, stderr } = await loopfold(['run', 'say so', ...MODEL, '--loop', 'turn'], { cwd, env });
  expect([status, stderr]).toEqual([0, expect.stringContaining('it rejected them: bad')]);
  expect(stderr).not.toContain('\u001b');
});

test('W4 a collector that is gone holds no run up, and what was not sent is said', async () => {
  const cwd = await project({ answers: [{ text: 'done' }] });
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' };
  const { status, stderr } = await loopfold(['run', 'say so', ...MODEL, '--loop', 'turn'], { cwd, env });
  expect([status, stderr]).toEqual([
    0,
    expect.stringMatching(/spans were not taken by 127\.0\.0\.1:9.*export \w+ --otlp/),
  ]);
  const gone = await loopfold(['export', '--last', '--otlp', 'http://127.0.0.1:9'], { cwd });
  expect([gone.status, gone.stderr]).toEqual([5, expect.stringContaining('took 0 of')]);
  expect((await loopfold(['export', '--last', '--otlp', 'nowhere'], { cwd })).status).toBe(2);
});

test('W4 an address of a collector without its scheme is told when a run starts', async () => {
  const cwd = await project({ answers: [{ text: 'done' }] });
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: 'localhost:4318' };
  const { status, stderr } = await loopfold(['run', 'say so', ...MODEL, '--loop', 'turn'], { cwd, env });
  const warning = 'warning: no spans are sent: OTEL_EXPORTER_OTLP_ENDPOINT is no address such as http://127.0.0.1:4318';
  expect([status, stderr]).toEqual([0, expect.stringContaining(warning)]);
});
