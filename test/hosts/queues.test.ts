import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { v7 as uuidv7 } from 'uuid';
import { expect, onTestFinished, test } from 'vitest';
import { handleJob } from '../../docs/examples/queues/handle-job.ts';
import { answerRun } from '../../docs/examples/queues/node-handler.ts';
import { takeRun } from '../../docs/examples/queues/web-handler.ts';
import { scriptedModel } from '../../src/actors/model/model-script.ts';
import type { Script } from '../../src/actors/model/script.ts';
import { Loops } from '../../src/hosts/local/local-host.ts';
import { LEASE_TTL_MS } from '../../src/log/lease-store.ts';
import { memoryLog, openSqliteLog } from '../../src/log/sqlite/engine.ts';
import { elsewhere } from '../../src/testing/log-contract/contract.ts';
import { temporaryFolder } from '../git/repository.ts';
import { OWN_SOURCES } from '../support/own-sources.ts';

const WORKER = join(import.meta.dirname, '../../docs/examples/queues/job-thread.ts');

/** A log in a file, as several processes would have it, and a command that writes a line each time it is run. */
async function place() {
  const folder = await temporaryFolder();
  const [store, effects] = [join(folder, 'log.db'), join(folder, 'effects.txt')];
  const command = `echo once >> '${effects}'`;
  const script: Script = { answers: [{ calls: [{ tool: 'shell', arguments: { command } }] }, { text: 'done' }] };
  const opened = () => {
    const log = openSqliteLog(store);
    onTestFinished(() => log.close());
    return new Loops({ log, model: scriptedModel(script), holds: null, warn: () => {} });
  };
  const done = async () => (await readFile(effects, 'utf8').catch(() => '')).trim().split('\n');
  const own = { loop: 'turn', tools: ['shell'], directory: folder, sandbox: 'off' } as const;
  return { store, script, own: { ...own, tools: [...own.tools] }, opened, done };
}

test('H8 a job that is delivered twice at once, and again late, is one run and one effect', async () => {
  const { own, opened, done } = await place();
  const job = { id: uuidv7(), prompt: 'Do it.' };
  const [one, other] = [opened(), opened()];
  const both = await Promise.all([handleJob(one, own, job), handleJob(other, own, job)]);
  expect(both).toContain('done');
  expect(await handleJob(opened(), own, job)).toBe('done');
  expect(await done()).toEqual(['once']);
  expect((await one.runs()).map(({ run }) => run)).toEqual([job.id]);
});

test('H8 a job whose worker was lost is carried out by a later delivery, and not while its lease lasts', async () => {
  let now = Date.parse('2026-03-01T12:00:00Z');
  const log = memoryLog({ now: () => now });
  const loops = new Loops({ log, model: scriptedModel({ answers: [{ text: 'done' }] }), holds: null });
  const job = { id: uuidv7(), prompt: 'Do it.' };
  await log.acquire(job.id, elsewhere('lost'));
  expect(await handleJob(loops, { loop: 'turn' }, job)).toBe('later');
  now += LEASE_TTL_MS;
  expect(await handleJob(loops, { loop: 'turn' }, job)).toBe('done');
  expect(await log.run(job.id)).toMatchObject({ closed: 'success' });
});

test('H8 a job whose run has ended by an error is done: a later delivery continues nothing', async () => {
  const log = memoryLog();
  const fails = { error: { code: 'authentication', message: 'a wrong key' } } as const;
  const loops = new Loops({ log, model: scriptedModel({ answers: [fails] }), holds: null });
  const job = { id: uuidv7(), prompt: 'Do it.' };
  const delivered = () => handleJob(loops, { loop: 'turn' }, job);
  expect([await delivered(), await delivered()]).toEqual(['done', 'done']);
  expect((await log.runs()).map(({ run, closed }) => [run, closed])).toEqual([[job.id, 'abort']]);
});

test('H8 a thread carries out a job', async () => {
  const { store, script, own, opened, done } = await place();
  const job = { id: uuidv7(), prompt: 'Do it.' };
  // The names of this package are its sources there, too.
  const hooks = `import { registerHooks } from 'node:module';
    const own = ${JSON.stringify(OWN_SOURCES)};
    registerHooks({ resolve: (name, context, next) =>
      own[name] ? { url: 'file://' + own[name], shortCircuit: true } : next(name, context) });`;
  const execArgv = ['--import', `data:text/javascript,${encodeURIComponent(hooks)}`];
  const thread = new Worker(WORKER, { workerData: { log: store, script, own, job }, execArgv });
  const [answer] = await once(thread, 'message');
  expect(answer).toBe('done');
  expect(await done()).toEqual(['once']);
  expect(await opened().log.run(job.id)).toMatchObject({ closed: 'success' });
});

test('H8 a run that is sent twice by HTTP is taken once, and a wrong id is refused in words', async () => {
  const { opened } = await place();
  const loops = opened();
  const id = uuidv7();
  const server = createServer((request, response) => {
    void answerRun(loops, request.url?.slice(1) ?? '', request, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const body = JSON.stringify({ prompt: 'Do it.' });
  const sent = (run: string) => fetch(`http://127.0.0.1:${port}/${run}`, { method: 'PUT', body });
  const web = (run: string) => takeRun(loops, run, new Request('http://host/', { method: 'PUT', body }));
  const answers = [await sent(id), await sent(id), await web(id), await web(uuidv7()), await sent('no-id')];
  expect(answers.map(({ status }) => status)).toEqual([202, 200, 200, 202, 400]);
  expect(await answers[4]?.json()).toMatchObject({ error: expect.stringContaining('UUID of version 7') });
  expect((await loops.log.submissions()).map(({ run }) => run)).toContain(id);
});
