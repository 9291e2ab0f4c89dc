import type { Log } from '../../log/log.ts';
import { LEASE_TTL_MS } from '../../log/lease-store.ts';
import type { Claimed, NewSubmission } from '../../log/queue-store.ts';
import { type Contract, storeClock, appended, AT, elsewhere, fact, take } from './contract.ts';

const MINUTE_MS = 60_000;

const submission = (run: string, more: Partial<NewSubmission> = {}): NewSubmission => ({
  run,
  task: { prompt: run },
  limit: null,
  notBefore: null,
  ...more,
});

async function claim(log: Log, token: string, except: readonly string[] = []): Promise<Claimed> {
  const claimed = await log.claim({ by: elsewhere(token), except });
  if (!claimed) throw new TypeError('nothing is due');
  return claimed;
}

export function queue({ fresh, expect, test }: Contract): void {
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

  test('what has failed is due again later, and counted; what is set aside only when a person says so', async () => {
    const clock = storeClock(AT);
    const log = await fresh(clock);
    await log.submit(submission('a'));
    const { lease } = await claim(log, '1');
    const failed = { standing: 'due', inMs: MINUTE_MS, because: 'no disk', hasFailed: true } as const;
    expect(await log.settle(lease, failed)).toBe(true);
    expect(await log.submission('a')).toMatchObject({ standing: 'due', tries: 1, because: 'no disk' });
    expect(await log.claim({ by: elsewhere('2'), except: [] })).toBeNull();
    clock.advance(MINUTE_MS);
    const again = await claim(log, '2');
    await log.settle(again.lease, { standing: 'aside', because: 'it crashes' });
    clock.advance(MINUTE_MS);
    expect(await log.claim({ by: elsewhere('3'), except: [] })).toBeNull();
    expect(await log.requeue('a')).toBe(true);
    expect(await log.requeue('a')).toBe(false);
    expect((await claim(log, '3')).submission).toMatchObject({ tries: 0, crashes: 0 });
  });

  test('what waits is due when its tree has something new, also what came before it was settled', async () => {
    const log = await fresh();
    await log.submit(submission('a'));
    const { lease } = await claim(log, '1');
    await appended(log.append({ run: 'a', events: [fact()], expectedVersion: 0, epoch: lease.epoch }));
    await log.settle(lease, { standing: 'waits', seen: 1 });
    expect(await log.stir(null)).toBe(0);
    expect(await log.claim({ by: elsewhere('2'), except: [] })).toBeNull();
    const person = await take(log, 'a');
    await appended(log.append({ run: 'a', events: [fact()], expectedVersion: 1, epoch: person.epoch }));
    await log.release(person);
    expect(await log.stir(['b'])).toBe(0);
    expect(await log.stir(['a'])).toBe(1);
    const next = await claim(log, '2');
    await log.settle(next.lease, { standing: 'waits', seen: 1 });
    expect(await log.submission('a')).toMatchObject({ standing: 'due' });
    const last = await claim(log, '3');
    await log.settle(last.lease, { standing: 'waits', seen: 2 });
    await log.post('a', { type: 'steer.requested', payload: 'left' });
    expect(await log.stir(null)).toBe(1);
  });

  test('of a key are found what is open, and what was over at a time or later', async () => {
    const clock = storeClock(AT);
    const log = await fresh(clock);
    const limit = { key: 'customer', atOnce: 9 };
    for (const run of ['early', 'late', 'open']) await log.submit(submission(run, { limit }));
    await log.submit(submission('other'));
    for (const run of ['early', 'late']) {
      const { lease } = await claim(log, run);
      expect(lease.root).toBe(run);
      await log.settle(lease, { standing: 'over', because: null });
      clock.advance(MINUTE_MS);
    }
    const since = async (time: string) => (await log.submissionsOf('customer', time)).map(({ run }) => run);
    expect(await since(AT)).toEqual(['early', 'late', 'open']);
    expect(await since(new Date(Date.parse(AT) + 1).toISOString())).toEqual(['late', 'open']);
    expect(await log.submissionsOf('another', AT)).toEqual([]);
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

  test('a task is withdrawn only before a worker has begun with it', async () => {
    const log = await fresh();
    for (const run of ['a', 'b']) await log.submit(submission(run));
    expect(await log.withdraw('a')).toBe(true);
    expect(await log.withdraw('a')).toBe(false);
    expect((await claim(log, '1')).submission.run).toBe('b');
    expect(await log.withdraw('b')).toBe(false);
    expect(await log.withdraw('c')).toBe(false);
  });
}
