import { expect, test } from 'vitest';
import { CLAIM_MS, Deliverer, type DelivererParts } from '../../../src/actors/webhook/deliverer.ts';
import { GIVEN_UP_AFTER_MS, nextTryInMs } from '../../../src/actors/webhook/delivery-schedule.ts';
import { type Sent, TRY_LIMIT_MS, type WebhookRequest } from '../../../src/actors/webhook/send-webhook.ts';
import { memoryLog } from '../../../src/log/sqlite/engine.ts';
import type { Log } from '../../../src/log/log.ts';
import { appended, AT, fact, take } from '../../../src/testing/log-contract/contract.ts';
import { fakeClock } from '../../support/fake-clock.ts';
import { fc } from '../../support/fast-check.ts';
import { settled } from '../../support/stand-ins.ts';

const [ONE, TWO] = ['https://one.example/hook?key=hidden', 'https://two.example/hook'] as const;
const FAILED: Sent = { kind: 'failed', error: 'answered 500' };
const idOf = ({ headers }: WebhookRequest): string => headers['webhook-id'] ?? '';

/** A log with so many reports of a run for each URL. */
async function owing(
  log: Log,
  urls: readonly string[],
  count: number,
  run = 'r',
  secretVariable: string | null = null,
) {
  const { epoch } = await take(log, run);
  const events = Array.from({ length: count }, () => fact());
  const reports = events.flatMap((_, index) =>
    urls.map((url) => ({ version: index + 1, url, secretVariable, body: `{"n":${index}}` })),
  );
  await appended(log.append({ run, events, expectedVersion: 0, epoch, reports }));
}

function stage(send: NonNullable<DelivererParts['send']>, variables: DelivererParts['variables'] = {}) {
  const clock = fakeClock(AT);
  const log = memoryLog({ now: clock.now });
  const said: string[] = [];
  const make = () => new Deliverer({ outbox: log, clock, variables, warn: (message) => said.push(message), send });
  /** Lets time pass in steps, so that everything that is due happens in between. */
  const pass = async (ms: number, stepMs = 250) => {
    for (let left = ms; left > 0; left -= stepMs) {
      await settled();
      clock.advance(Math.min(stepMs, left));
    }
    await settled();
  };
  const running = () => {
    const stop = new AbortController();
    const run = make().run(stop.signal);
    return async () => (stop.abort(), clock.advance(1_000), run);
  };
  return { clock, log, said, make, pass, running };
}

test('R11 the wait after a failure begins at 1 s, doubles, and stays at 5 min, until the report is a day old', () => {
  const createdAt = AT;
  const start = Date.parse(AT);
  const waits = Array.from({ length: 12 }, (_, index) => nextTryInMs({ attempts: index + 1, createdAt }, start));
  expect(waits.map((wait) => Number(wait) / 1_000)).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300]);
  expect(nextTryInMs({ attempts: 5_000, createdAt }, start)).toBe(300_000);
  expect(nextTryInMs({ attempts: 300, createdAt }, start + GIVEN_UP_AFTER_MS - 300_000)).toBe(300_000);
  expect(nextTryInMs({ attempts: 300, createdAt }, start + GIVEN_UP_AFTER_MS - 299_999)).toBeNull();
});

test('R11 a claim outlives a try', () => expect(CLAIM_MS).toBeGreaterThan(2 * TRY_LIMIT_MS));

test('R11 an hour of answers 500 is said once, keeps the order, and ends with every report delivered', async () => {
  const sent: string[] = [];
  const { log, said, pass, running, clock } = stage(async (request) => {
    if (clock.now() < Date.parse(AT) + 3_600_000) return FAILED;
    sent.push(idOf(request));
    return { kind: 'delivered' };
  });
  await owing(log, [ONE], 3);
  const stop = running();
  await pass(3_600_000, 10_000);
  expect(sent).toEqual([]);
  expect(await log.undelivered()).toHaveLength(3);
  expect(said).toEqual([
    'the report r/1 was not delivered to https://one.example/hook: answered 500; ' +
      'it is tried again, and the run goes on',
  ]);
  await pass(300_000, 10_000);
  expect(sent).toEqual(['r/1', 'r/2', 'r/3']);
  expect(await log.undelivered()).toEqual([]);
  await stop();
});

test('R11 after a day of tries a report is given up, which is said, and the next one is tried', async () => {
  const { log, said, pass, running } = stage(async () => FAILED);
  await owing(log, [ONE], 2);
  const stop = running();
  await pass(GIVEN_UP_AFTER_MS + 3_600_000, 60_000);
  expect((await log.undelivered()).map(({ givenUpAt }) => givenUpAt !== null)).toEqual([true, false]);
  expect(said).toEqual([
    expect.stringMatching(/^the report r\/1 .*; it is tried again, and the run goes on$/),
    expect.stringMatching(/^the report r\/1 .*answered 500; it is given up$/),
  ]);
  await stop();
});

test('R11 what is owed for days is not given up by the first failures after them', async () => {
  const { log, make, clock } = stage(async () => FAILED);
  await owing(log, [ONE], 3);
  clock.advance(3 * GIVEN_UP_AFTER_MS);
  const { signal } = new AbortController();
  for (let times = 1; times <= 3; times += 1) {
    await make().pass(signal);
    clock.advance(1_000);
  }
  expect((await log.undelivered()).map(({ givenUpAt, attempts }) => [givenUpAt, attempts])).toEqual([
    [null, 3],
    [null, 0],
    [null, 0],
  ]);
});

test('R11 a receiver that fails keeps no other waiting', async () => {
  const sent: string[] = [];
  const { log, pass, running } = stage(async (request, { signal }) => {
    if (request.url === TWO) return (sent.push(idOf(request)), { kind: 'delivered' });
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
    return FAILED;
  });
  await owing(log, [ONE, TWO], 3);
  const stop = running();
  await pass(1_000);
  expect(sent).toEqual(['r/1', 'r/2', 'r/3']);
  await stop();
  expect((await log.undelivered()).map(({ url, attempts }) => [url, attempts])).toEqual([
    [ONE, 1],
    [ONE, 0],
    [ONE, 0],
  ]);
});

test('R11 a report that this process cannot sign is left alone, and half a secret is a failure', async () => {
  const { log, pass, running, said } = stage(async () => ({ kind: 'delivered' }), { BAD: 'whsec_!', EMPTY: '' });
  await owing(log, [ONE], 1, 'r', 'ABSENT');
  await owing(log, [ONE], 1, 's', 'EMPTY');
  await owing(log, [ONE], 1, 't', 'BAD');
  const stop = running();
  await pass(500);
  await stop();
  expect((await log.undelivered()).map(({ run, attempts }) => [run, attempts])).toEqual([
    ['r', 0],
    ['s', 0],
    ['t', 1],
  ]);
  expect(said).toEqual([expect.stringContaining('BAD: expected a secret')]);
});

test('R11 a store that is closed meanwhile is said once, and nothing is thrown', async () => {
  const { log, pass, running, said } = stage(async () => (await log.close(), { kind: 'delivered' }));
  await owing(log, [ONE], 2);
  const stop = running();
  await pass(5_000);
  await stop();
  expect(said).toEqual([expect.stringMatching(/^reports cannot be delivered at the moment: .*closed/)]);
});

test('R11 a pass tries what is not due yet, each run and URL until its first failure', async () => {
  const tried: string[] = [];
  const { log, make, clock } = stage(async (request) => {
    tried.push(`${idOf(request)} ${request.url === ONE ? 'one' : 'two'}`);
    return request.url === ONE && idOf(request) === 'r/2' ? FAILED : { kind: 'delivered' };
  });
  await owing(log, [ONE, TWO], 3);
  const signal = new AbortController().signal;
  await make().pass(signal);
  expect(tried.toSorted()).toEqual(['r/1 one', 'r/1 two', 'r/2 one', 'r/2 two', 'r/3 two']);
  clock.advance(1);
  tried.length = 0;
  await make().pass(signal);
  expect(tried).toEqual(['r/2 one']);
});

/** How a receiver treats each report: how often it fails, and whether the process dies after it has it. */
const story = fc.record({
  failures: fc.array(fc.nat({ max: 3 }), { minLength: 1, maxLength: 6 }),
  deaths: fc.array(fc.boolean(), { minLength: 6, maxLength: 6 }),
  processes: fc.integer({ min: 1, max: 3 }),
});

test('R11 through failures, deaths and several processes each report arrives, in order, once by its id', async () => {
  await fc.assert(
    fc.asyncProperty(story, async ({ failures, deaths, processes }) => {
      const left = new Map(failures.map((count, index) => [`r/${index + 1}`, count]));
      const dying = new Set(deaths.flatMap((dies, index) => (dies ? [`r/${index + 1}`] : [])));
      const arrived: string[] = [];
      const { log, pass, running } = stage(async (request) => {
        const id = idOf(request);
        const failuresLeft = left.get(id) ?? 0;
        left.set(id, failuresLeft - 1);
        if (failuresLeft > 0) return FAILED;
        arrived.push(id);
        // The process dies before it can note that the report has arrived.
        if (dying.delete(id)) return new Promise(() => {});
        return { kind: 'delivered' };
      });
      await owing(log, [ONE], failures.length);
      const stops = Array.from({ length: processes }, () => running());
      await pass(failures.length * (CLAIM_MS + 20_000), 1_000);
      const ids = failures.map((_, index) => `r/${index + 1}`);
      expect(await log.undelivered()).toEqual([]);
      expect([...new Set(arrived)]).toEqual(ids);
      expect(arrived).toEqual(arrived.toSorted());
      for (const stop of stops) void stop();
    }),
    { numRuns: 25 },
  );
});
