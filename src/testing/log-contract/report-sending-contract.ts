import { appended, AT, fact, history, type Contract, storeClock } from './contract.ts';
import { endingClaims, passingClaims } from './report-claim-contract.ts';
import { claim, claimed, idsOf, later, ONE, ONE_PROCESS, OTHER, report, reporting } from './reports-under-test.ts';

/** What a process claims, sends, tries again and gives up. */
export function sendingReports(contract: Contract): void {
  sendingInOrder(contract);
  retrying(contract);
  passingClaims(contract);
  endingClaims(contract);
}

/** One report at a time for each run and URL, in their order; others go on. */
function sendingInOrder({ fresh, expect, test }: Contract): void {
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

  test('R11 a process claims only what it can sign', async () => {
    const log = await fresh();
    const { epoch } = await history(log, 'a', 1);
    const reports = [report(2, ONE, 'UNKNOWN'), report(2, OTHER, 'KNOWN')];
    await appended(log.append({ run: 'a', events: [fact()], expectedVersion: 1, epoch, reports }));
    expect(await claimed(log)).toMatchObject({ url: OTHER, secretVariable: 'KNOWN' });
    expect(await log.claimReport(claim())).toBeNull();
    expect(await log.claimReport({ ...claim(), variables: ['UNKNOWN'] })).toMatchObject({ url: ONE });
  });
}

/** Failed reports are due again, or given up; a pass over everything owed tries each once. */
function retrying({ fresh, expect, test }: Contract): void {
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
