import { BLOB_THRESHOLD_BYTES } from '../../log/event-store.ts';
import { all, appended, fact, history, take, upTo, type Contract } from './contract.ts';

export function reading({ fresh, expect, test }: Contract): void {
  test('a range includes both ends, and an unknown run reads as empty', async () => {
    const log = await fresh();
    await history(log, 'a', 5);
    const versions = async (range?: { from?: number; to?: number }) =>
      (await all(log.read('a', range))).map(({ version }) => version);
    expect(await versions()).toEqual([1, 2, 3, 4, 5]);
    expect(await versions({ from: 2, to: 4 })).toEqual([2, 3, 4]);
    expect(await versions({ from: 4 })).toEqual([4, 5]);
    expect(await versions({ from: 0, to: 1 })).toEqual([1]);
    expect(await versions({ from: 6 })).toEqual([]);
    expect(await versions({ from: 3, to: 2 })).toEqual([]);
    expect(await all(log.read('b'))).toEqual([]);
  });

  test('more events than any page holds come in order, and a reader may stop early', async () => {
    const log = await fresh();
    await history(log, 'a', 1_500);
    const indices = (await all(log.read('a'))).map(({ payload }) => (payload as { index: number }).index);
    expect(indices).toEqual(upTo(1_500).map((version) => version - 1));
    for await (const { version } of log.read('a')) if (version === 3) break;
    expect(await all(log.read('a', { from: 1_500 }))).toHaveLength(1);
  });

  test('by pages it reads the same, without places and hashes', async () => {
    const log = await fresh();
    await history(log, 'a', 700);
    await appended(
      log.append({ run: 'a', events: [fact('x'.repeat(BLOB_THRESHOLD_BYTES))], expectedVersion: 700, epoch: 1 }),
    );
    const bare = (await all(log.read('a'))).map(({ position: _, hash: _hash, ...envelope }) => envelope);
    expect((await all(log.pages('a'))).flat()).toEqual(bare);
    expect((await all(log.pages('a', { from: 300, to: 650 }))).flat()).toEqual(bare.slice(299, 650));
    expect((await all(log.pages('a', { from: 0, to: 1 }))).flat()).toEqual(bare.slice(0, 1));
    expect((await all(log.pages('b'))).flat()).toEqual([]);
  });

  test('a payload over the threshold comes back whole, and the chain holds the reference', async () => {
    const log = await fresh();
    const { epoch } = await take(log, 'a');
    const atLimit = 'x'.repeat(BLOB_THRESHOLD_BYTES - 2);
    const events = [fact(atLimit), fact(`${atLimit}é`), fact(`${atLimit}é`)];
    const written = await appended(log.append({ run: 'a', events, expectedVersion: 0, epoch }));
    expect(written.map(({ payload }) => payload)).toEqual(events.map(({ payload }) => payload));
    expect(await all(log.read('a'))).toEqual(written);
    expect(await log.verify('a')).toMatchObject({ kind: 'intact', version: 3 });
  });
}

/** The promises of a log that was closed. */
export function closing({ fresh, expect, test }: Contract): void {
  test('close: whatever is asked afterwards says that the log is closed', async () => {
    const log = await fresh();
    await log.close();
    await log.close();
    const unavailable = { name: 'LogError', kind: 'unavailable' };
    await expect(log.run('a')).rejects.toMatchObject(unavailable);
    const append = log.append({ run: 'a', events: [fact()], expectedVersion: 0, epoch: 1 });
    await expect(append).rejects.toMatchObject(unavailable);
    await expect(all(log.read('a'))).rejects.toMatchObject(unavailable);
  });
}
