import { all, appended, AT, decided, fact, history, take, type Contract, storeClock } from './contract.ts';

export function forking(contract: Contract): void {
  sharingPrefixes(contract);
  refusingForks(contract);
}

/** A fork shares the prefix of its origin, with run ids and hashes, and no more. */
function sharingPrefixes({ fresh, expect, test }: Contract): void {
  test('forked: the prefix is shared with its own run ids and hashes, and both go their ways', async () => {
    const clock = storeClock(AT);
    const log = await fresh(clock);
    const { epoch } = await history(log, 'a', 4);
    clock.advance(1_000);
    const forked = await log.fork({ from: 'a', at: 2, to: 'b' });
    const prefix = await all(log.read('a', { to: 2 }));
    const forkedFrom = { run: 'a', version: 2 };
    const createdAt = new Date(clock.now()).toISOString();
    expect(forked).toEqual({
      kind: 'forked',
      run: {
        run: 'b',
        root: 'b',
        parentEffect: null,
        forkedFrom,
        version: 2,
        hash: prefix[1]?.hash,
        createdAt,
        updatedAt: createdAt,
        closed: null,
      },
    });
    const { epoch: ofFork } = await take(log, 'b');
    const own = await appended(log.append({ run: 'b', events: [fact()], expectedVersion: 2, epoch: ofFork }));
    expect(own[0]).toMatchObject({ run: 'b', version: 3 });
    expect(await all(log.read('b'))).toEqual([...prefix, ...own]);
    expect(await all(log.read('b', { from: 2, to: 2 }))).toEqual(prefix.slice(1));
    await appended(log.append({ run: 'a', events: [fact()], expectedVersion: 4, epoch }));
    expect(await all(log.read('b'))).toHaveLength(3);
    expect(await log.verify('b')).toEqual({ kind: 'intact', version: 3, hash: own[0]?.hash });
  });

  test('a fork of a fork, inside and behind its prefix; an ending is not shared', async () => {
    const log = await fresh();
    const { epoch } = await history(log, 'a', 3);
    await appended(
      log.append({ run: 'a', events: [decided('cap_hit')], expectedVersion: 3, epoch, closes: 'cap_hit' }),
    );
    await log.fork({ from: 'a', at: 3, to: 'b' });
    const { epoch: ofFork } = await take(log, 'b');
    await appended(log.append({ run: 'b', events: [fact()], expectedVersion: 3, epoch: ofFork }));
    await log.fork({ from: 'b', at: 4, to: 'c' });
    await log.fork({ from: 'b', at: 1, to: 'd' });
    const owners = async (run: string) => (await all(log.read(run))).map((envelope) => envelope.run).join('');
    expect([await owners('b'), await owners('c'), await owners('d')]).toEqual(['aaab', 'aaab', 'a']);
    expect(await log.run('d')).toMatchObject({ forkedFrom: { run: 'b', version: 1 }, version: 1, closed: null });
    expect(await log.verify('c')).toMatchObject({ kind: 'intact', version: 4 });
  });
}

/** Forks that are refused open nothing. */
function refusingForks({ fresh, expect, test }: Contract): void {
  test('unknown_run, exists and no_such_version open nothing', async () => {
    const log = await fresh();
    await history(log, 'a', 2);
    expect(await log.fork({ from: 'x', at: 1, to: 'b' })).toEqual({ kind: 'unknown_run' });
    expect(await log.fork({ from: 'a', at: 1, to: 'a' })).toEqual({ kind: 'exists' });
    for (const at of [3, 0, -1, 1.5]) {
      expect(await log.fork({ from: 'a', at, to: 'b' })).toEqual({ kind: 'no_such_version', head: 2 });
    }
    expect(await log.runs()).toHaveLength(1);
  });
}
