import type { Log } from '../../log/log.ts';
import { LEASE_TTL_MS } from '../../log/lease-store.ts';
import type { Claimed, NewSubmission } from '../../log/queue-store.ts';
import { type Contract, storeClock, appended, AT, elsewhere, fact } from './contract.ts';

export const MINUTE_MS = 60_000;

/** A task that is due at once. */
export const submission = (run: string, more: Partial<NewSubmission> = {}): NewSubmission => ({
  run,
  task: { prompt: run },
  limit: null,
  notBefore: null,
  ...more,
});

/** Claims the next task. Throws a `TypeError` where none is due. */
export async function claim(log: Log, token: string, except: readonly string[] = []): Promise<Claimed> {
  const claimed = await log.claim({ by: elsewhere(token), except });
  if (!claimed) throw new TypeError('nothing is due');
  return claimed;
}

/** A submitted task is claimed once, in its turn, and under the limit of its key. */
export function claiming({ fresh, expect, test }: Contract): void {
  test('what is submitted is claimed once, the longest due first, and not before its time', async () => {
    const clock = storeClock(AT);
    const log = await fresh(clock);
    const notBefore = new Date(clock.now() + MINUTE_MS).toISOString();
    expect(await log.submit(submission('later', { notBefore }))).toBe(true);
    for (const run of ['a', 'b']) expect(await log.submit(submission(run))).toBe(true);
    expect(await log.submit(submission('a', { task: 'another' }))).toBe(false);
    expect((await log.submissions()).map(({ run, standing }) => [run, standing])).toEqual([
      ['later', 'due'],
      ['a', 'due'],
      ['b', 'due'],
    ]);
    const { lease, lapsed, submission: taken } = await claim(log, '1');
    expect({ lease, lapsed }).toEqual({ lease: { root: 'a', epoch: 1, holder: elsewhere('1') }, lapsed: null });
    expect(taken).toMatchObject({ run: 'a', task: { prompt: 'a' }, standing: 'claimed', at: AT, dueAt: AT });
    expect(await log.holder('a')).toEqual(elsewhere('1'));
    expect((await claim(log, '2')).submission.run).toBe('b');
    expect(await log.claim({ by: elsewhere('3'), except: [] })).toBeNull();
    clock.advance(MINUTE_MS);
    expect((await claim(log, '3', ['a', 'b'])).submission.run).toBe('later');
  });

  test('many claims at once get each run once', async () => {
    const log = await fresh();
    const runs = Array.from({ length: 40 }, (_, index) => `run${index}`);
    for (const run of runs) await log.submit(submission(run));
    const claims = Array.from({ length: 60 }, (_, index) => log.claim({ by: elsewhere(`${index}`), except: [] }));
    const got = (await Promise.all(claims)).flatMap((one) => one?.submission.run ?? []);
    expect(got.toSorted()).toEqual(runs.toSorted());
  });

  test('of one key no more are claimed at once than its limit', async () => {
    const log = await fresh();
    const limit = { key: 'repository', atOnce: 2 };
    for (const run of ['a', 'b', 'c', 'd']) await log.submit(submission(run, { limit }));
    await log.submit(submission('other', { limit: { key: 'other', atOnce: 1 } }));
    const [one] = [await claim(log, '1'), await claim(log, '2')];
    expect((await claim(log, '3')).submission.run).toBe('other');
    expect(await log.claim({ by: elsewhere('4'), except: [] })).toBeNull();
    await log.settle(one.lease, { standing: 'over', because: null });
    expect((await claim(log, '4')).submission.run).toBe('c');
    expect(await log.claim({ by: elsewhere('5'), except: [] })).toBeNull();
  });
}

/** A claim passes to the next worker when its holder is lost. */
export function succeeding({ fresh, expect, test }: Contract): void {
  test('a worker that is lost is succeeded by epoch once its lease has expired', async () => {
    const clock = storeClock(AT);
    const log = await fresh(clock);
    await log.submit(submission('a'));
    const first = await claim(log, '1');
    clock.advance(LEASE_TTL_MS - 1);
    expect(await log.claim({ by: elsewhere('2'), except: [] })).toBeNull();
    clock.advance(1);
    const second = await claim(log, '2');
    expect(second).toMatchObject({ lease: { epoch: 2 }, lapsed: { by: elsewhere('1') }, submission: { crashes: 1 } });
    expect(await log.settle(first.lease, { standing: 'over', because: null })).toBe(false);
    expect(await log.submission('a')).toMatchObject({ standing: 'claimed' });
    const end = { run: 'a', events: [fact()], expectedVersion: 0 };
    expect(await log.append({ ...end, epoch: first.lease.epoch })).toEqual({ kind: 'fenced', epoch: 2 });
    await appended(log.append({ ...end, epoch: second.lease.epoch }));
    expect(await log.settle(second.lease, { standing: 'over', because: null })).toBe(true);
    expect(await log.holder('a')).toBeNull();
    expect(await log.submissions()).toEqual([]);
    expect(await log.submission('a')).toMatchObject({ standing: 'over' });
    expect(await log.submit(submission('a'))).toBe(false);
  });
}
