import { MAX_DELIVERED, MAX_REPORT_BYTES } from '../../log/outbox-store.ts';
import { appended, AT, fact, history, type Contract } from './contract.ts';
import { sendingReports } from './report-sending-contract.ts';
import { claimed, FOR_MS, idsOf, ONE, ONE_PROCESS, OTHER, report, reporting } from './reports-under-test.ts';

/** Reports for receivers: recorded with their events, sent in order, and claimed by one process at a time. */
export function outbox(contract: Contract): void {
  recordingReports(contract);
  keepingReports(contract);
  sendingReports(contract);
}

/** A report is recorded with its event, or not at all. */
function recordingReports({ fresh, expect, test }: Contract): void {
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
}

/** Lists of reports, and those that the log still owes or keeps. */
function keepingReports({ fresh, expect, test }: Contract): void {
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
}
