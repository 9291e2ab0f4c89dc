import { claim, claiming, MINUTE_MS, submission, succeeding } from './claim-contract.ts';
import { type Contract, storeClock, appended, AT, elsewhere, fact, take } from './contract.ts';

/** Tasks for workers: submitted, claimed under a lease, settled, and found again. */
export function queue(contract: Contract): void {
  claiming(contract);
  succeeding(contract);
  settling(contract);
  findingByKey(contract);
  withdrawing(contract);
}

/** Results of a claim, and the moment when the task is due again. */
function settling({ fresh, expect, test }: Contract): void {
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
}

/** Submissions found by the key of their limit. */
function findingByKey({ fresh, expect, test }: Contract): void {
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
}

/** Tasks that no worker has begun with can be taken back. */
function withdrawing({ fresh, expect, test }: Contract): void {
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
