import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { HttpClient } from '../../src/http/http-client.ts';
import { collector } from '../app/collector.ts';
import { MODEL, Program, project } from './program.ts';
import { loopfold } from './warm-process.ts';

const TOKEN = 'a-token-of-thirty-two-characters';

interface Exported {
  readonly resourceSpans: readonly { readonly scopeSpans?: readonly { readonly spans?: readonly object[] }[] }[];
}

/** The spans of the newest run of a folder, as an export prints them. */
async function exported(cwd: string): Promise<readonly string[]> {
  const { stdout } = await loopfold(['export', '--last', '--as', 'otlp'], { cwd });
  const { resourceSpans } = JSON.parse(stdout) as Exported;
  const spans = resourceSpans.flatMap(({ scopeSpans = [] }) => scopeSpans.flatMap(({ spans: all = [] }) => all));
  return spans.map((span) => JSON.stringify(span)).toSorted();
}

test('W4 given a collector, when a worker works on a run, then it is told what an export tells', async () => {
  const { to, spans } = await collector();
  const cwd = await project({ answers: [{ text: 'done' }] });
  expect(await loopfold(['submit', 'say so'], { cwd })).toMatchObject({ status: 0 });
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: new URL(to.url).origin };
  const worked = await loopfold(['work', '--until-idle', ...MODEL, '--loop', 'turn'], { cwd, env });
  expect([worked.status, worked.stderr]).toEqual([0, expect.not.stringContaining('not taken')]);
  expect(spans.size).toBeGreaterThan(1);
  expect([...spans.values()].toSorted()).toEqual(await exported(cwd));
});

test('W4 given no collector at its address, when a worker works, then it says what was not taken', async () => {
  const cwd = await project({ answers: [{ text: 'done' }] });
  await loopfold(['submit', 'say so'], { cwd });
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' };
  const { status, stderr } = await loopfold(['work', '--until-idle', ...MODEL, '--loop', 'turn'], { cwd, env });
  expect([status, stderr]).toEqual([
    0,
    expect.stringMatching(/spans were not taken by 127\.0\.0\.1:9.*export \w+ --otlp/),
  ]);
});

test('W4 given a collector, when a server starts a run, then it is told once the run has ended', async () => {
  const { to, spans } = await collector();
  const cwd = await project({ answers: [{ text: 'done' }] });
  await writeFile(join(cwd, 'tokens'), `${TOKEN} Ada\n`);
  await chmod(join(cwd, 'tokens'), 0o600);
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: new URL(to.url).origin, LOOPFOLD_MODEL: 'script:model.json' };
  const server = new Program(['serve', '--port', '0', '--tokens', 'tokens'], { cwd, env });
  onTestFinished(() => server.signal('SIGKILL'));
  await server.shows('http://127.0.0.1:');
  const [url = ''] = /http:\/\/127\.0\.0\.1:\d+/.exec(server.shown.stdout) ?? [];
  const client = new HttpClient({ url, token: TOKEN });
  const { run } = await client.ask('start', { body: { prompt: 'Say so.', options: { loop: 'turn' } } });
  await expect.poll(async () => (await client.ask('run', { run })).ending?.kind, { timeout: 20_000 }).toBe('success');
  await expect.poll(() => spans.size, { timeout: 20_000 }).toBeGreaterThan(1);
  server.signal('SIGINT');
  await server.ended;
  expect([...spans.values()].toSorted()).toEqual(await exported(cwd));
});
