import type { Log } from '../../log/log.ts';
import { thisProcess } from '../../log/holder.ts';
import { MAX_CLOCK_AHEAD_MS } from '../../log/lease-store.ts';
import { MAX_DELIVERED, MAX_REPORT_BYTES, type Report } from '../../log/outbox-store.ts';
import { appended, AT, elsewhere, fact, history, type Contract, storeClock } from './contract.ts';

const ONE = 'https://one.example/hook';
const OTHER = 'https://other.example/hook';
const FOR_MS = 15_000;
const ONE_PROCESS = elsewhere('a process');
const claim = (by = ONE_PROCESS) => ({ by, forMs: FOR_MS, variables: ['KNOWN'] });
const report = (version: number, url = ONE, secretVariable: string | null = null) => ({
  version,
  url,
  secretVariable,
  body: `{"version":${version}}`,
});

const later = (ms: number) => new Date(Date.parse(AT) + ms).toISOString();

/** A run with a report for each of its events. */
async function reporting(log: Log, run: string, urls: readonly string[], events = 3): Promise<void> {
  const { epoch } = await history(log, run, 1);
  const reports = Array.from({ length: events }, (_, index) => urls.map((url) => report(index + 2, url))).flat();
  const facts = Array.from({ length: events }, () => fact());
  await appended(log.append({ run, events: facts, expectedVersion: 1, epoch, reports }));
}

const idsOf = (reports: readonly (Report | null)[]) => reports.map((one) => one?.id ?? null);

async function claimed(log: Log, by = ONE_PROCESS): Promise<Report> {
  const one = await log.claimReport(claim(by));
  if (!one) throw new Error('nothing to claim');
  return one;
}

export function outbox({ fresh, expect, test }: Contract): void {
  test('R11 the reports of a run are listed in order, delivered or not', async () => {
    const log = await fresh();
    await reporting(log, 'a', [ONE, OTHER]);
    await reporting(log, 'b', [ONE]);
    const first = await claimed(log);
    expect(await log.reportDelivered(first, ONE_PROCESS)).toBe(true);
    const listed = await log.reports('a');
    expect(listed.map(({ id, url }) => [id, url])).toEqual(
      [2, 3, 4].flatMap((version) => [
        [`a/${version}`, ONE],
        [`a/${version}`, OTHER],
      ]),
    );
    expect(listed.map(({ deliveredAt }) => deliveredAt !== null)).toEqual([true, false, false, false, false, false]);
    expect(await log.reports('c')).toEqual([]);
  });

  test('R11 a report is kept with its event, or not at all', async () => {
    const log = await fresh();
    const { epoch } = await history(log, 'a', 1);
    const append = { run: 'a', events: [fact(), fact()], expectedVersion: 1, epoch, reports: [report(3)] };
    expect(await log.append({ ...append, expectedVersion: 0, reports: [] })).toMatchObject({ kind: 'conflict' });
    expect(await log.append({ ...append, epoch: epoch + 1 })).toMatchObject({ kind: 'fenced' });
    expect(await log.undelivered()).toEqual([]);
    await appended(log.append(append));
    expect(await log.undelivered()).toEqual([
      {
        id: 'a/3',
        run: 'a',
        url: ONE,
        secretVariable: null,
        body: '{"version":3}',
        createdAt: AT,
        attempts: 0,
        nextTryAt: AT,
        claimedBy: null,
        claimedUntil: null,
        deliveredAt: null,
        givenUpAt: null,
        lastError: null,
      },
    ]);
    expect(await log.report('a/3', ONE)).toEqual((await log.undelivered())[0]);
    expect(await log.report('a/3', OTHER)).toBeNull();
    expect(await log.report('a/2', ONE)).toBeNull();
  });

  test('R11 a report of an event that is not appended, or too long to send, is a bug of the caller', async () => {
    const log = await fresh();
    const { epoch } = await history(log, 'a', 1);
    const append = (one: ReturnType<typeof report>) =>
      log.append({ run: 'a', events: [fact()], expectedVersion: 1, epoch, reports: [one] });
    await expect(append(report(1))).rejects.toThrow(TypeError);
    await expect(append(report(3))).rejects.toThrow(TypeError);
    await expect(append({ ...report(2), body: 'x'.repeat(MAX_REPORT_BYTES + 1) })).rejects.toThrow(TypeError);
    await expect(append({ ...report(2), url: '' })).rejects.toThrow(TypeError);
    expect(await log.undelivered()).toEqual([]);
  });

  test('R11 the reports of a run go to a URL in their order, one at a time, while others go on', async () => {
    const log = await fresh();
    await reporting(log, 'a', [ONE, OTHER]);
    await reporting(log, 'b', [ONE]);
    const first = [await claimed(log), await claimed(log), await claimed(log)];
    expect(first.map(({ id, url }) => [id, url])).toEqual([
      ['a/2', ONE],
      ['a/2', OTHER],
      ['b/2', ONE],
    ]);
    expect(await log.claimReport(claim())).toBeNull();
    for (const one of first.slice(0, 1)) expect(await log.reportDelivered(one, ONE_PROCESS)).toBe(true);
    expect(await claimed(log)).toMatchObject({ id: 'a/3', url: ONE, attempts: 1 });
    expect(await log.claimReport(claim())).toBeNull();
  });

  test('R11 what failed is tried again when it is due, before anything later', async () => {
    const clock = storeClock(AT);
    const log = await fresh(clock);
    await reporting(log, 'a', [ONE]);
    const first = await claimed(log);
    expect(await log.reportFailed(first, ONE_PROCESS, { error: 'answered 500', againInMs: 1_000 })).toBe(true);
    expect(await log.report('a/2', ONE)).toMatchObject({
      attempts: 1,
      lastError: 'answered 500',
      nextTryAt: later(1_000),
      claimedUntil: null,
    });
    clock.advance(999);
    expect(await log.claimReport(claim())).toBeNull();
    clock.advance(1);
    expect(await claimed(log)).toMatchObject({ id: 'a/2', attempts: 2, lastError: 'answered 500' });
  });

  test('R11 one that is given up is kept, and the next one follows', async () => {
    const log = await fresh();
    await reporting(log, 'a', [ONE]);
    await log.reportFailed(await claimed(log), ONE_PROCESS, { error: 'gone', againInMs: null });
    expect(await log.report('a/2', ONE)).toMatchObject({ givenUpAt: AT, deliveredAt: null, lastError: 'gone' });
    const next = await claimed(log);
    expect(next.id).toBe('a/3');
    await log.reportDelivered(next, ONE_PROCESS);
    expect(await log.report('a/3', ONE)).toMatchObject({ deliveredAt: AT, lastError: null, claimedUntil: null });
    expect(idsOf(await log.undelivered('a'))).toEqual(['a/2', 'a/4']);
    expect(idsOf(await log.undelivered('b'))).toEqual([]);
  });

  test('R11 the newest delivered reports are kept, and none that is owed or given up is removed', async () => {
    const log = await fresh();
    const beyond = 3;
    await reporting(log, 'a', [OTHER], 2);
    const givenUp = await claimed(log);
    await log.reportFailed(givenUp, ONE_PROCESS, { error: 'no', againInMs: null });
    await log.reportFailed(await claimed(log), ONE_PROCESS, { error: 'later', againInMs: FOR_MS });
    await reporting(log, 'b', [ONE], MAX_DELIVERED + beyond);
    const delivered: string[] = [];
    for (let left = MAX_DELIVERED + beyond; left > 0; left -= 1) {
      const one = await claimed(log);
      expect(await log.reportDelivered(one, ONE_PROCESS)).toBe(true);
      delivered.push(one.id);
    }
    expect(delivered).toEqual(Array.from({ length: MAX_DELIVERED + beyond }, (_, index) => `b/${index + 2}`));
    const kept = await Promise.all(delivered.map((id) => log.report(id, ONE)));
    expect(kept.map((one) => one !== null)).toEqual(delivered.map((_, index) => index >= beyond));
    expect(idsOf(await log.undelivered())).toEqual(['a/2', 'a/3']);
  });

  test('R11 a log owes reports until the last one is delivered or given up', async () => {
    const log = await fresh();
    expect(await log.owesReports()).toBe(false);
    await reporting(log, 'a', [ONE], 2);
    await log.reportDelivered(await claimed(log), ONE_PROCESS);
    expect(await log.owesReports()).toBe(true);
    await log.reportFailed(await claimed(log), ONE_PROCESS, { error: 'no', againInMs: null });
    expect(await log.owesReports()).toBe(false);
  });

  test('R11 two processes never try the same report at once; a claim that expires passes on', async () => {
    const clock = storeClock(AT);
    const log = await fresh(clock);
    await reporting(log, 'a', [ONE], 1);
    const [x, y] = [elsewhere('x'), elsewhere('y')];
    const [one, two] = await Promise.all([log.claimReport(claim(x)), log.claimReport(claim(y))]);
    expect([one, two].filter((claimedBy) => claimedBy !== null)).toHaveLength(1);
    const [first, other] = one ? [x, y] : [y, x];
    const lost = one ?? two;
    if (!lost) throw new Error('one of them');
    expect(lost.claimedUntil).toBe(later(FOR_MS));
    clock.advance(FOR_MS - 1);
    expect(await log.claimReport(claim(other))).toBeNull();
    clock.advance(1);
    const taken = await claimed(log, other);
    expect(taken.attempts).toBe(2);
    expect(await log.reportDelivered(lost, first)).toBe(false);
    expect(await log.reportFailed(lost, first, { error: 'late', againInMs: 1 })).toBe(false);
    expect(await log.report('a/2', ONE)).toEqual(taken);
    expect(await log.reportDelivered(taken, other)).toBe(true);
    expect(await log.reportDelivered(taken, other)).toBe(false);
    expect(await log.undelivered()).toEqual([]);
  });

  test('R11 a claim that ends more than a day from now holds nothing', async () => {
    const clock = storeClock(AT);
    const log = await fresh(clock);
    await reporting(log, 'a', [ONE], 1);
    await claimed(log);
    const other = claim(elsewhere('other'));
    clock.advance(FOR_MS - MAX_CLOCK_AHEAD_MS);
    expect(await log.claimReport({ ...other, lastTriedBefore: later(1) })).toBeNull();
    clock.advance(-1);
    expect(await log.claimReport({ ...other, lastTriedBefore: later(1) })).toMatchObject({ id: 'a/2', attempts: 2 });
  });

  test('R11 the claim of a process of this machine ends with it; one of another machine has to expire', async () => {
    const log = await fresh();
    await reporting(log, 'a', [ONE], 1);
    const [living, away] = [thisProcess(), elsewhere('away')];
    const dead = { ...thisProcess(), processStart: 'earlier' };
    expect(await log.claimReport(claim(dead))).toMatchObject({ attempts: 1, claimedBy: dead });
    const taken = await log.claimReport(claim(living));
    expect(taken).toMatchObject({ attempts: 2, claimedBy: living });
    expect(await log.claimReport(claim(thisProcess()))).toBeNull();
    if (taken) await log.reportFailed(taken, living, { error: 'answered 500', againInMs: 0 });
    expect(await log.report('a/2', ONE)).toMatchObject({ claimedBy: null, claimedUntil: null });
    expect(await log.claimReport(claim(away))).toMatchObject({ attempts: 3 });
    expect(await log.claimReport(claim(living))).toBeNull();
  });

  test('R11 a process claims only what it can sign', async () => {
    const log = await fresh();
    const { epoch } = await history(log, 'a', 1);
    const reports = [report(2, ONE, 'UNKNOWN'), report(2, OTHER, 'KNOWN')];
    await appended(log.append({ run: 'a', events: [fact()], expectedVersion: 1, epoch, reports }));
    expect(await claimed(log)).toMatchObject({ url: OTHER, secretVariable: 'KNOWN' });
    expect(await log.claimReport(claim())).toBeNull();
    expect(await log.claimReport({ ...claim(), variables: ['UNKNOWN'] })).toMatchObject({ url: ONE });
  });

  test('R11 a pass over everything owed does not wait until it is due, and tries each once', async () => {
    const clock = storeClock(AT);
    const log = await fresh(clock);
    await reporting(log, 'a', [ONE, OTHER], 1);
    await log.reportFailed(await claimed(log), ONE_PROCESS, { error: 'later', againInMs: 60_000 });
    clock.advance(10);
    const pass = { ...claim(), lastTriedBefore: later(10) };
    const other = await log.claimReport(pass);
    expect(other).toMatchObject({ url: OTHER, attempts: 1 });
    if (other) await log.reportFailed(other, ONE_PROCESS, { error: 'again', againInMs: 1 });
    expect(await log.claimReport(pass)).toMatchObject({ url: ONE, attempts: 2 });
    clock.advance(10);
    expect(await log.claimReport(pass)).toBeNull();
  });
}
