import type * as TimersPromises from 'node:timers/promises';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { type Lease, LEASE_RENEW_MS, LEASE_TTL_MS, MAX_CLOCK_AHEAD_MS } from '../../src/log/lease-store.ts';
import type { Log } from '../../src/log/log.ts';
import { memoryLog } from '../../src/log/sqlite/engine.ts';
import { type EndHolder, leave, takeLease } from '../../src/runtime/take-lease.ts';
import { elsewhere, take } from '../../src/testing/log-contract/contract.ts';
import * as has from '../support/facts.ts';
import { fakeClock } from '../support/fake-clock.ts';
import { createHarness } from '../support/harness.ts';
import { ended, history } from '../support/run-history.ts';
import { settled, tool, untilStopped } from '../support/stand-ins.ts';

const HOUR_MS = 3_600_000;
/** The time that was waited for, and what happens meanwhile. */
const waiting: { forMs: number; meanwhile: (forMs: number) => Promise<void> } = vi.hoisted(() => ({
  forMs: 0,
  meanwhile: async () => {},
}));
/** Of the looks at a lease, and at a command. */
const LOOKS_MS = [50, 500];

vi.mock('node:timers/promises', async (load) => {
  const real = await load<typeof TimersPromises>();
  const setTimeout = async (ms: number, ...more: []) => {
    if (!LOOKS_MS.includes(ms)) return real.setTimeout(ms, ...more);
    // A process that waits for ever leaves the test its time limit.
    await settled();
    waiting.forMs += ms;
    await waiting.meanwhile(waiting.forMs);
  };
  return { ...real, setTimeout };
});
afterEach(() => void Object.assign(waiting, { forMs: 0, meanwhile: async () => {} }));

const slow = untilStopped('slow');
const model = { answers: [{ calls: [{ tool: 'slow' }] }, { text: 'done' }] };

/** A paused run, whose lease a process elsewhere has taken by a clock that is ahead. */
async function heldAhead(aheadMs: number) {
  const clock = fakeClock();
  const log = memoryLog({ now: clock.now });
  const harness = createHarness({ log, clock, tools: [slow], model });
  const { run, observer, pause, done } = await harness.start();
  await observer.untilDelta(({ text }) => text === 'slow');
  await pause('user');
  await done;
  const by = elsewhere('1');
  const ahead = async <Result>(work: () => Promise<Result>) => {
    clock.advance(aheadMs);
    const result = await work();
    clock.advance(-aheadMs);
    return result;
  };
  const lease = await ahead(() => take(log, run, by));
  const renew = () => ahead(() => log.renew(lease));
  const takeOver = (isMeant: boolean, endHolder: EndHolder = async () => 'it ran elsewhere') =>
    takeLease({ log, endHolder, now: clock.now }, run, isMeant);
  return { ...harness, clock, log, run, by, lease, renew, takeOver };
}

/** What its holder does about the commands in its inbox, once so much time was waited for. */
const rejecting = async (log: Log, { root }: Lease): Promise<void> => {
  for (const { id } of await log.inbox(root)) await log.reject(id, 'not now');
};

describe('a lease that ends an hour later than one that is taken now', () => {
  test('a command waits for its holder for as long as a lease lasts, and then says what a person can do', async () => {
    const { log, run, supervisor } = await heldAhead(HOUR_MS);
    const before = await history(log, run);
    const sent = await supervisor.send(run, has.steered);
    expect(sent).toEqual({
      kind: 'held',
      reason:
        'its lease ends at 2030-01-01T01:00:15.000Z, and one that is taken now ends at 2030-01-01T00:00:15.000Z: ' +
        'the clock of far.away is or was ahead, or the lease was edited. ' +
        'Make sure that it is not at work, then resume the run with --take-over',
    });
    expect(waiting.forMs).toBe(LEASE_TTL_MS);
    expect(await history(log, run)).toEqual(before);
  });

  test('a holder that renews it takes commands as any other', async () => {
    const { clock, log, run, lease, renew, supervisor } = await heldAhead(HOUR_MS);
    waiting.meanwhile = async (forMs) => {
      clock.advance(50);
      if (forMs % LEASE_RENEW_MS === 0) await renew();
      if (forMs >= 2 * LEASE_TTL_MS) await rejecting(log, lease);
    };
    expect(await supervisor.send(run, has.steered)).toEqual({ kind: 'rejected', reason: 'not now' });
    expect(waiting.forMs).toBe(2 * LEASE_TTL_MS);
  });

  test('is not taken without a person, who is told why at once', async () => {
    const { run, by, supervisor, takeOver } = await heldAhead(HOUR_MS);
    expect(await takeOver(false)).toMatchObject({ kind: 'held', by, because: expect.stringMatching('was ahead') });
    expect(await supervisor.resume(run)).toMatchObject({ kind: 'held', because: expect.any(String) });
    expect(waiting.forMs).toBe(0);
  });

  test('is taken over by a person, once its holder had as long as a lease lasts to renew it', async () => {
    const { takeOver, run, log } = await heldAhead(HOUR_MS);
    expect(await takeOver(true)).toMatchObject({ kind: 'leased', lease: { root: run, epoch: 3 } });
    expect(waiting.forMs).toBe(LEASE_TTL_MS);
    expect(await log.holder(run)).toMatchObject({ pid: process.pid });
  });

  test('a holder that renews it keeps it, although a person vouches that it is gone', async () => {
    const { clock, takeOver, by, log, run, renew } = await heldAhead(HOUR_MS);
    waiting.meanwhile = async (forMs) => {
      clock.advance(500);
      if (forMs === 2 * LEASE_RENEW_MS) await renew();
    };
    expect(await takeOver(true)).toMatchObject({ kind: 'held', by });
    expect(waiting.forMs).toBe(2 * LEASE_RENEW_MS);
    expect(await log.holder(run)).toEqual(by);
  });

  test('is taken as any other where its holder gives it back meanwhile', async () => {
    const { takeOver, log, lease } = await heldAhead(HOUR_MS);
    waiting.meanwhile = async () => void (await log.release(lease));
    expect(await takeOver(true)).toMatchObject({ kind: 'leased', lease: { epoch: 3 } });
  });

  test('is taken at once where its holder was here, and was ended', async () => {
    const { takeOver } = await heldAhead(HOUR_MS);
    expect(await takeOver(true, leave)).toMatchObject({ kind: 'leased', lease: { epoch: 3 } });
    expect(waiting.forMs).toBe(0);
  });
});

test('a lease that ends within a minute of one that is taken now is a lease as any other', async () => {
  const { takeOver, by } = await heldAhead(60_000);
  const held = await takeOver(true);
  expect(held).toEqual({ kind: 'held', by, expiresAt: '2030-01-01T00:01:15.000Z' });
});

test('a lease that ends more than a day later holds nothing, as one that has lapsed', async () => {
  const { takeOver, by, log, run, supervisor } = await heldAhead(MAX_CLOCK_AHEAD_MS + 1);
  expect(await log.holder(run)).toBeNull();
  expect(await takeOver(false)).toEqual({
    kind: 'held',
    by,
    expiresAt: '2030-01-02T00:00:15.001Z',
    because:
      'its lease ends at 2030-01-02T00:00:15.001Z, so that it was edited, or a clock was wrong by more than a day, ' +
      'but it ran elsewhere',
  });
  expect(await supervisor.send(run, has.steered)).toMatchObject({ kind: 'delivered' });
  expect(waiting.forMs).toBe(0);
});

test('a command to a run that has ended is answered at once, whichever process its lease names', async () => {
  const { log, run, clock, lease } = await heldAhead(0);
  await log.release(lease);
  const tools = [tool('slow', async () => ({ output: 'done' }))];
  await ended(await createHarness({ log, clock, tools, model }).resume(run));
  await take(log, run, elsewhere('2'));
  const { supervisor } = createHarness({ log, clock, tools, model });
  for (const command of [has.steered, has.paused, has.personAnswered('7.7')])
    expect(await supervisor.send(run, command)).toEqual({ kind: 'rejected', reason: 'the run has ended' });
  expect(await supervisor.abort(run)).toEqual({ kind: 'rejected', reason: 'the run has ended' });
  expect(await log.inbox(run)).toEqual([]);
  expect(waiting.forMs).toBe(0);
});
