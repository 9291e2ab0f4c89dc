import { all, history, type Contract } from './contract.ts';

export function snapshots({ fresh, expect, test }: Contract): void {
  test("the newest at or below a version, as long as its hash is the log's", async () => {
    const log = await fresh();
    await history(log, 'a', 6);
    const hashes = (await all(log.read('a'))).map(({ hash }) => hash);
    const snapshot = (version: number, hash = hashes[version - 1] ?? '') => ({
      run: 'a',
      version,
      hash,
      machine: 'loop@1',
      state: { version, nested: [null] },
    });
    expect(await log.latestSnapshot('a')).toBeNull();
    for (const saved of [snapshot(4), snapshot(2), snapshot(5, 'ff'.repeat(32)), snapshot(9, hashes[0])]) {
      await log.saveSnapshot(saved);
    }
    expect(await log.latestSnapshot('a')).toEqual(snapshot(4));
    expect(await log.latestSnapshot('a', 4)).toEqual(snapshot(4));
    expect(await log.latestSnapshot('a', 3)).toEqual(snapshot(2));
    expect(await log.latestSnapshot('a', 1)).toBeNull();
    expect(await log.latestSnapshot('b')).toBeNull();
    await log.saveSnapshot({ ...snapshot(4), machine: 'loop@2' });
    expect(await log.latestSnapshot('a')).toMatchObject({ version: 4, machine: 'loop@2' });
  });

  test('a fork uses the snapshots of the prefix it shares, and no later ones', async () => {
    const log = await fresh();
    await history(log, 'a', 4);
    await log.fork({ from: 'a', at: 3, to: 'b' });
    const hashes = (await all(log.read('a'))).map(({ hash }) => hash);
    for (const version of [2, 4]) {
      const hash = hashes[version - 1] ?? '';
      await log.saveSnapshot({ run: 'a', version, hash, machine: 'loop@1', state: version });
    }
    expect(await log.latestSnapshot('b')).toMatchObject({ run: 'a', version: 2, state: 2 });
    expect(await log.latestSnapshot('b', 1)).toBeNull();
  });
}
