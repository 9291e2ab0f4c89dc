import { expect, test } from 'vitest';
import { scriptedModel } from '../../../src/actors/model/model-script.ts';
import { FleetWorker, type WorkerNews } from '../../../src/hosts/fleet/fleet-workers.ts';
import { type KeyBudget, keyTurn, shareOf } from '../../../src/hosts/fleet/key-budget.ts';
import { Loops } from '../../../src/hosts/local/local-host.ts';
import type { Log } from '../../../src/log/log.ts';
import { memoryLog } from '../../../src/log/sqlite/engine.ts';
import { readSettings } from '../../../src/runtime/read-settings.ts';
import { temporaryFolder } from '../../git/repository.ts';

const TOKENS = 600;
const DAY_MS = 86_400_000;
const answer = { text: 'done', usage: { inputTokens: TOKENS - 100, outputTokens: 100 } };

const loopsOn = (log: Log) =>
  new Loops({ log, model: scriptedModel({ answers: [answer] }), holds: null, warn: () => {} });

async function worked(log: Log, keyBudget: KeyBudget): Promise<readonly WorkerNews[]> {
  const news: WorkerNews[] = [];
  const run = { loop: 'turn', tools: [], directory: await temporaryFolder() };
  const worker = new FleetWorker(loopsOn(log), { run, keyBudget, told: (one) => news.push(one) });
  await worker.work({ untilIdle: true });
  return news;
}

const limitOf = async (log: Log, run: string) => (await readSettings(log, run))?.limits.maxTokens;

test('H3 runs of one key spend its budget of a day, and the next one waits for midnight', async () => {
  const log = memoryLog();
  const loops = loopsOn(log);
  const submitted = [];
  for (let n = 0; n < 3; n += 1) submitted.push((await loops.submit({ prompt: 'Do it.', key: 'customer' })).run);
  const other = (await loops.submit({ prompt: 'Do it.' })).run;
  const [first = '', second = '', third = ''] = submitted;
  const news = await worked(log, { maxTokens: 1_500 });
  expect([await limitOf(log, first), await limitOf(log, second)]).toEqual([1_500, 1_500 - TOKENS]);
  expect(await limitOf(log, other)).toBeNull();
  expect(await limitOf(log, third)).toBe(1_500 - 2 * TOKENS);
  const fourth = (await loops.submit({ prompt: 'Do it.', key: 'customer' })).run;
  const later = await worked(log, { maxTokens: 1_000 });
  expect([...news, ...later]).toContainEqual({
    kind: 'settled',
    run: fourth,
    settled: expect.objectContaining({ standing: 'due', because: expect.stringContaining('customer') }),
  });
  expect(await log.run(fourth)).toBeNull();
});

test('H3 a key may spend again after midnight UTC, and the smaller of two caps counts', async () => {
  const log = memoryLog();
  const loops = loopsOn(log);
  const { run } = await loops.submit({ prompt: 'Do it.', key: 'customer', maxTokens: 1_200 });
  await worked(log, { maxTokens: 5_000 });
  expect(await limitOf(log, run)).toBe(1_200);
  const now = Date.now();
  expect(await shareOf(loops, 'customer', { maxTokens: TOKENS }, now)).toEqual({
    kind: 'spent',
    inMs: DAY_MS - (now % DAY_MS),
  });
  expect(await shareOf(loops, 'customer', { maxTokens: TOKENS }, now + DAY_MS)).toEqual({
    kind: 'caps',
    caps: { maxTokens: TOKENS },
  });
});

test('H3 a run waits while another of its key begins: both would reserve the same rest', async () => {
  const log = memoryLog();
  const { run } = await loopsOn(log).submit({ prompt: 'Do it.', key: 'customer' });
  const endTurn = await keyTurn(log, 'customer');

  const news = await worked(log, { maxTokens: 1_500 });

  expect(await keyTurn(log, 'customer')).toBeNull();
  expect(news).toContainEqual({
    kind: 'settled',
    run,
    settled: expect.objectContaining({ standing: 'due', because: 'another run of customer is about to begin' }),
  });
  expect(await log.run(run)).toBeNull();
  await endTurn?.();
  expect(await keyTurn(log, 'customer')).not.toBeNull();
});
