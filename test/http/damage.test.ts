import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { HttpClient } from '../../src/http/http-client.ts';
import { openSqliteLog } from '../../src/log/sqlite/engine.ts';
import { ask, untilWaiting } from '../hosts/local/office.ts';
import { linesIn } from '../../src/studio/lines-in.ts';
import { served, TOKEN } from './served.ts';

const SCRIPT = { answers: [{ calls: [ask('Which?')] }, { text: 'done' }] };

/** A run that waits behind a server, in a file whose third event is then overwritten by something else. */
async function damaged() {
  const folder = mkdtempSync(join(tmpdir(), 'loopfold-damage-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'log.db');
  const server = await served(SCRIPT, {}, { log: openSqliteLog(path) });
  const live = await server.start();
  await untilWaiting(live);
  const damage = () => {
    const other = new DatabaseSync(path);
    other.prepare('UPDATE events SET payload = ? WHERE version = 3').run('no JSON');
    other.close();
  };
  return { ...server, run: live.run, damage };
}

test('W1 given a log that is damaged while a page is open, then each request is answered with a sentence', async () => {
  const { ask: request, run, damage } = await damaged();
  const before = await request(`/api/runs/${run}/events.json`);
  expect(before.status).toBe(200);
  damage();
  const paths = ['/events.json', '/conversation', '/state'].map((path) => `/api/runs/${run}${path}`);
  for (const path of [...paths, `/api/streams/${run}`, `/api/streams/${run}?offset=-1&live=sse`]) {
    const answer = await request(path);
    const { code, message } = (await answer.json()) as { readonly code: string; readonly message: string };
    expect([path, answer.status, code, message]).toEqual([path, 500, 'log', expect.stringContaining('cannot be read')]);
  }
});

test('W1 given a damaged event, when a client follows the run, then the stream says so and ends whole', async () => {
  const { base, ask: request, run, damage } = await damaged();
  damage();
  const text = await (await request(`/api/runs/${run}/events`, { signal: AbortSignal.timeout(20_000) })).text();
  expect(text).toMatch(
    /\nevent: problem\ndata: \{"status":500,"code":"log","message":"[^"]*cannot be read[^"]*"\}\n\n$/,
  );
  const client = new HttpClient({ url: base, token: TOKEN });
  const following = client.follow('events', { run });
  const read = async () => {
    while (!(await following.next()).done);
  };
  await expect(read()).rejects.toMatchObject({ status: 500, problem: { code: 'log' } });
});

test('W1 given a stream that ends with a problem, then the page has the lines before it and its sentence', () => {
  const frames = [
    'data: 1',
    ': still here',
    'event: problem\ndata: {"status":500,"message":"it is damaged"}',
    'data: 2',
  ];
  expect(linesIn<number>(frames)).toEqual({ lines: [1], problem: { status: 500, message: 'it is damaged' } });
});
